"""Models of every kind small enough to make in a test: random weights, a byte-level tokenizer, no download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
NLI_LABELS = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
_TEXT = ["Great soup and friendly staff. Cold soup, slow service, the wait was long and the room was loud."] * 3


def make_tokenizer(max_tokens: int | None = 64, *, padding: bool = True, segments: bool = False) -> Any:
    """Byte-level BPE in RoBERTa's manner: every string has tokens.

    Args:
        max_tokens: longest input; None says nothing about it.
        padding: whether there is a padding token.
        segments: tell the texts of a pair apart by type ids, as BERT does.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(_TEXT, trainer)
    ends = (("</s>", 2), ("<s>", 0))
    roberta = processors.RobertaProcessing(*ends, add_prefix_space=False)
    tokenizer.post_processor = processors.BertProcessing(*ends) if segments else roberta
    names = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token", "mask_token"), SPECIAL, strict=True))
    if not padding:
        del names["pad_token"]
    inputs = ["input_ids", *(["token_type_ids"] if segments else []), "attention_mask"]
    limit = {} if max_tokens is None else {"model_max_length": max_tokens}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **names, cls_token="<s>", sep_token="</s>", model_input_names=inputs, **limit
    )


def make_model(folder: Path, kind: str, *, seed: int = 0, max_tokens: int = 64, **options: Any) -> Path:
    """Save a model and its tokenizer.

    Args:
        folder: where to.
        kind: "classifier", "encoder" (RoBERTa), "masked" (BERT), "seq2seq" (BART), "t5" or "causal" (GPT-2).
        seed: of the weights.
        max_tokens: longest input.
        **options: of the configuration; of a classifier also its `labels` and its `architecture`: "roberta" (default),
            "bert", "deberta-v2" or "gpt2" (without a padding token).
    """
    import torch
    import transformers

    architecture = options.pop("architecture", "bert" if kind == "masked" else "roberta")
    tokenizer = make_tokenizer(
        max_tokens if kind != "t5" else None, padding=architecture != "gpt2", segments=architecture == "bert"
    )
    common = {"vocab_size": len(tokenizer), "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    bert = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": max_tokens + (2 if architecture == "roberta" else 0),
        "type_vocab_size": 2 if architecture == "bert" else 1,
        "initializer_range": 0.5,  # answers that differ, unlike those of a model as it is initialized for training
    }
    gpt2 = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": max_tokens, "initializer_range": 0.5}
    torch.manual_seed(seed)
    if kind == "classifier":
        labels = options.pop("labels", NLI_LABELS)
        names = {"id2label": dict(enumerate(labels)), "label2id": {name: place for place, name in enumerate(labels)}}
        sizes = gpt2 | {"pad_token_id": None} if architecture == "gpt2" else bert
        config = transformers.AutoConfig.for_model(architecture, **{**common, **sizes, **names, **options})
        model = transformers.AutoModelForSequenceClassification.from_config(config)
    elif kind == "encoder":
        model = transformers.RobertaModel(transformers.RobertaConfig(**{**common, **bert, **options}))
    elif kind == "masked":
        config = transformers.AutoConfig.for_model(architecture, **{**common, **bert, **options})
        model = transformers.AutoModelForMaskedLM.from_config(config)
    elif kind == "seq2seq":
        sizes = {"d_model": 32, "max_position_embeddings": max_tokens, "init_std": 0.5, "decoder_start_token_id": 2}
        for side in ("encoder", "decoder"):
            sizes |= {f"{side}_layers": 2, f"{side}_attention_heads": 2, f"{side}_ffn_dim": 64}
        model = transformers.BartForConditionalGeneration(transformers.BartConfig(**{**common, **sizes, **options}))
    elif kind == "t5":
        sizes = {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2, "decoder_start_token_id": 1}
        model = transformers.T5ForConditionalGeneration(transformers.T5Config(**{**common, **sizes, **options}))
    else:
        model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**{**common, **gpt2, **options}))
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder

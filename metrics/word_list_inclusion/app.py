"""The demo of Word List Inclusion: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("word_list_inclusion")

if __name__ == "__main__":
    demo.launch()

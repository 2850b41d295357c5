"""The paper's printed tables, each once. In percents, as printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

DOMAINS = ("Claritin", "US Election", "Yelp", "Amazon", "SupremeCourt", "IQ2")
"""The domains of tables 2 and 10, each with BUR and UER."""
SCORES: Mapping[str, str] = {"ngram": "N-gramScore", "bertscore": "BERTScore", "bartscore": "BARTScore"}
"""Matcher -> what the paper calls it."""

_TABLE_10 = """
Alpaca           N-gramScore   51.12   7.63  82.56   7.01  34.47   3.71  74.27   5.11  70.77   5.41  82.14   4.37
Alpaca           BERTScore     70.85  12.17  83.27   6.83  38.73   5.52  76.20   6.89  78.46   6.07  85.94   6.94
Alpaca           BARTScore     73.84  11.13  94.31   9.72  58.93   6.11  91.80   9.48  89.23   7.09  90.78  10.32
Alpaca           Average       65.27  10.31  86.71   7.85  44.04   5.11  80.76   7.16  79.49   6.19  86.29   7.21
llama-2-chat-7b  N-gramScore   47.56   7.11  57.48   3.64  16.67   2.71  61.87   3.94  95.35   4.03  73.05   3.43
llama-2-chat-7b  BERTScore     67.63  10.70  84.37   6.28  47.60   3.09  73.47   3.95  96.84   4.42  87.26   5.72
llama-2-chat-7b  BARTScore     73.78   9.46  94.07  10.14  61.00   4.97  92.67   7.39 100.00   6.31  92.93   8.92
llama-2-chat-7b  Average       62.99   9.09  78.64   6.69  41.76   3.59  76.00   5.09  97.40   4.92  84.41   6.02
llama-2-chat-13b N-gramScore   47.04   7.01  60.07   3.89  21.80   3.02  64.33   4.23  95.34   4.13  76.21   3.68
llama-2-chat-13b BERTScore     68.37  10.98  82.59   6.23  29.40   2.81  64.60   3.95  91.88   3.91  89.30   6.45
llama-2-chat-13b BARTScore     73.78  10.07  95.19  10.26  57.40   4.76  91.60   7.16  99.25   5.70  92.61   9.85
llama-2-chat-13b Average       63.06   9.35  79.28   6.79  36.20   3.53  73.51   5.11  95.49   4.58  86.04   6.66
llama-2-chat-70b N-gramScore   42.74   6.60  66.00   4.16  22.33   3.26  64.60   4.43  95.19   3.96  75.23   3.59
llama-2-chat-70b BERTScore     66.00  10.70  81.63   6.07  30.00   0.03  67.87   4.63  95.79   4.21  87.68   6.26
llama-2-chat-70b BARTScore     75.85  12.47  91.70   8.99  58.80   5.13  91.60   7.82  99.85   6.05  94.23  10.07
llama-2-chat-70b Average       61.53   9.92  79.78   6.41  37.04   2.81  74.69   5.63  96.94   4.74  85.71   6.64
text-bison@001   N-gramScore   52.37   7.77  74.57   6.11  32.76   3.66  75.53   5.52  96.53   4.29  81.84   4.50
text-bison@001   BERTScore     72.15  12.47  87.78   8.24  43.07   5.81  84.73   8.56  96.84   5.50  90.64   8.15
text-bison@001   BARTScore     78.67  11.24  97.23  11.77  61.11   6.65  93.00  11.22  99.85   7.17  95.29  11.98
text-bison@001   Average       67.73  10.49  86.53   8.71  45.65   5.37  84.42   8.43  97.74   5.65  89.26   8.21
text-davinci-003 N-gramScore   45.41   6.88  73.04   5.22  26.87   2.93  67.80   4.14  96.09   4.28  78.11   3.89
text-davinci-003 BERTScore     69.48  11.18  82.30   6.64  40.27   4.03  78.27   5.79  96.09   4.63  88.67   6.92
text-davinci-003 BARTScore     73.93   9.17  92.89   9.41  62.13   6.09  93.60   9.86 100.00   6.84  94.72  10.78
text-davinci-003 Average       62.94   9.08  82.74   7.09  43.09   4.35  79.89   6.60  97.39   5.25  87.17   7.20
gpt-turbo-3.5    N-gramScore   51.11   7.53  72.67   5.00  21.80   3.01  63.13   4.12  96.84   4.16  72.48   3.37
gpt-turbo-3.5    BERTScore     68.22  11.04  80.37   6.10  33.80   3.70  71.20   4.93  92.93   3.76  86.77   5.68
gpt-turbo-3.5    BARTScore     73.56   8.98  91.11   8.35  60.33   5.30  93.33   8.40 100.00   6.00  94.30   9.15
gpt-turbo-3.5    Average       64.30   9.18  81.38   6.48  38.64   4.00  75.89   5.82  96.59   4.64  84.52   6.07
gpt-4            N-gramScore   50.81   7.51  65.78   4.38  20.27   2.50  59.87   3.88  95.34   4.12  79.45   3.87
gpt-4            BERTScore     70.44  11.96  78.81   6.22  36.60   3.21  72.00   4.39  95.04   3.71  88.88   6.96
gpt-4            BARTScore     77.85  10.34  95.19  10.36  61.40   5.46  92.47   8.20 100.00   5.87  94.79  10.00
gpt-4            Average       66.37   9.94  79.93   6.99  39.42   3.72  74.78   5.49  96.79   4.57  87.71   6.94
"""
_TABLE_2 = """
Alpaca             65.38  10.35  87.33   8.40  44.04   5.11  80.73   7.16  97.99   8.79  91.06   8.99
llama-2-chat-7b    62.99   9.09  78.64   6.69  41.76   3.59  76.00   5.09  97.40   4.92  84.41   6.02
llama-2-chat-13b   63.06   9.35  79.28   6.79  36.20   3.53  73.51   5.11  95.49   4.58  86.04   6.66
llama-2-chat-70b   61.53   9.92  79.78   6.41  37.04   2.81  74.69   5.63  96.94   4.74  85.71   6.64
text-bison@001     67.73  10.49  86.53   8.71  45.65   5.37  84.42   8.43  97.74   5.65  89.26   8.21
text-davinci-003   62.94   9.08  82.74   7.09  43.09   4.35  79.89   6.60  97.39   5.25  87.17   7.20
gpt-turbo-3.5      64.30   9.18  81.38   6.48  38.64   4.00  75.89   5.82  96.59   4.64  84.52   6.07
gpt-4              66.37   9.94  79.93   6.99  39.42   3.72  74.78   5.49  96.79   4.57  87.71   6.94
"""

TABLE_9: Mapping[str, Sequence[float]] = {
    "bur": (1.00, 0.56, 0.44, 0.08),
    "uer": (0.56, 1.00, 0.27, 0.43),
    "auc": (0.44, 0.27, 1.00, 0.06),
    "sof": (0.08, 0.43, 0.06, 1.00),
}
"""Pearson's correlation of the measures on Claritin, in the order of the rows. Source: papers/fairsumm-v2, table 9."""

INSTRUCTION: Mapping[str, tuple[float, float, float]] = {
    "Claritin": (51.11, 7.53, 0.17),
    "Claritin + Definition": (47.48, 7.18, 0.98),
    "Yelp": (21.80, 3.01, 1.25),
    "Yelp + Definition": (21.73, 2.98, 1.27),
    "Election": (72.67, 5.00, 0.54),
    "Election + Definition": (67.04, 4.35, 1.03),
}
"""BUR, UER and SOF of gpt-turbo-3.5 with and without the instruction. Source: papers/fairsumm-v2, table 7."""

BY_VALUE: Mapping[str, float] = {"male": 7.28, "female": 7.08}
"""What the paper calls the unfair rate of each value on Claritin with the instruction.

Source: papers/fairsumm-v1, section 6.2; v2 does not print it.
"""


FIGURE_4 = 20
"""In how many percents of the samples male, and female, is underrepresented, "about".

Source: papers/fairsumm-v2, section 6.5, on figure 4.
"""

LENGTHS: Mapping[str, tuple[int, float]] = {
    "Yelp": (576, 402.1),
    "Claritin": (1087, 572.2),
    "US Election": (1247, 677.7),
}
"""Tokens of the longest sample and of the mean one. Source: papers/fairsumm-v2, table 1."""


def table_10() -> dict[str, dict[str, list[float]]]:
    """System -> N-gramScore, BERTScore, BARTScore and Average -> BUR and UER of each domain.

    Source: papers/fairsumm-v2, table 10.

    Example:
        >>> table_10()["gpt-4"]["N-gramScore"][4:6]
        [20.27, 2.5]
    """
    table: dict[str, dict[str, list[float]]] = {}
    for line in _TABLE_10.strip().splitlines():
        system, score, *cells = line.split()
        table.setdefault(system, {})[score] = list(map(float, cells))
    return table


def averages_of_table_2() -> dict[str, list[float]]:
    """System -> BUR and UER of each domain, the mean of the three scores.

    Source: papers/fairsumm-v2, table 2.
    """
    rows = (line.split() for line in _TABLE_2.strip().splitlines())
    return {system: list(map(float, cells)) for system, *cells in rows}

"""`fairsum publish install`: the modules where `evaluate.load` finds them without the Hub."""

from __future__ import annotations

from collections.abc import Mapping

from fairsum_utils.cli.command import Argument, Option, Options, command, exclusive
from fairsum_utils.measures import NAMESPACE, NAMESPACE_IS_OURS


@command(
    Argument("names", "[NAME]...", "Modules (default: all)", nargs=-1),
    Option("--namespace", default=NAMESPACE, metavar="NAME", help="Name before the slash"),
    Option("--uninstall", help="Remove installed modules"),
    Option("--list", help="Show installed modules"),
)
def install(options: Options) -> int:
    """Put the modules where evaluate.load("fairsum/bur") finds them without a network.

    evaluate asks the Hub first and would run any module of that name from there, even a stranger's. Set both
    HF_EVALUATE_OFFLINE=1 and HF_HUB_OFFLINE=1 to load installed modules. `fairsum
    env` lists modules that came from elsewhere. HF_MODULES_CACHE or HF_HOME choose the folder, as for evaluate.
    Install again after every upgrade of fairsum-utils. In Python, fairsum_utils.load("bur") needs no installing
    and never asks the Hub.

    examples:
      fairsum publish install                then, in Python: evaluate.load("fairsum/bur")
      fairsum publish install bur uer --namespace my-team   evaluate.load("my-team/bur")
      fairsum publish install --list                        shows installed modules
      fairsum publish install --uninstall                   removes installed modules, and nothing else
    """
    from fairsum_utils._util.terminal import printable
    from fairsum_utils.cli.terminal import show
    from fairsum_utils.integrations import modules

    exclusive(options, "uninstall", "list")
    action = modules.uninstall if options.uninstall else modules.states if options.list else modules.install
    outcome = action(options.names or None, namespace=options.namespace)
    lines = [report(outcome, str(modules.modules_folder()))]
    if action is modules.install and not (NAMESPACE_IS_OURS and options.namespace == NAMESPACE):
        lines.append(offline_hint(options.namespace))
    show(printable("\n".join(lines)))
    return 0


def offline_hint(namespace: str) -> str:
    """Return the variables to set so that `evaluate` loads what is installed.

    Example:
        >>> print(offline_hint("fairsum"))
        The Hub comes first for evaluate.load("fairsum/..."), and the name fairsum there is not ours.
        To load what is installed, set both: HF_EVALUATE_OFFLINE=1 HF_HUB_OFFLINE=1
    """
    from fairsum_utils.integrations.modules import OFFLINE

    owner = "the name fairsum there is not ours" if namespace == NAMESPACE else "it may have others under that name"
    variables = " ".join(f"{name}=1" for name in OFFLINE)
    return (
        f'The Hub comes first for evaluate.load("{namespace}/..."), and {owner}.\n'
        f"To load what is installed, set both: {variables}"
    )


def report(outcome: Mapping[str, str], folder: str) -> str:
    """Return a line per module.

    Args:
        outcome: name of a module -> its outcome.
        folder: cache folder.

    Example:
        >>> print(report({"auc": "unchanged", "bur": "updated", "uer": "unchanged"}, "modules"))
        unchanged (2): auc, uer
        updated (1): bur
        folder: modules
    """
    lines = []
    for became in sorted(set(outcome.values())):
        names = [name for name, one in outcome.items() if one == became]
        lines.append(f"{became} ({len(names)}): {', '.join(names)}")
    if set(outcome.values()) <= {"unchanged"}:
        lines.append("nothing to change")
    return "\n".join([*lines, f"folder: {folder}"])

"""`fairsum publish install`: the modules where `evaluate.load` finds them without the Hub."""

from __future__ import annotations

from collections.abc import Mapping

from fairsum_utils.cli.command import Argument, Option, Options, command, exclusive


@command(
    Argument("names", "[NAME]...", "modules (default: all)", nargs=-1),
    Option("--namespace", default="fairsum", metavar="NAME", help="before the slash"),
    Option("--uninstall", help="remove what was installed"),
    Option("--list", help="show what is installed"),
)
def install(options: Options) -> int:
    """Put the modules where evaluate.load("fairsum/bur") finds them without a network.

    evaluate asks the Hub first, and takes what is installed if the Hub cannot be reached, does not have the
    module or refuses it. HF_EVALUATE_OFFLINE=1 and HF_HUB_OFFLINE=1 together keep it from asking (either alone
    does not), which saves waiting where a firewall swallows requests. HF_MODULES_CACHE or HF_HOME say where to
    install, as for evaluate. Install again after every upgrade of fairsum-utils. In Python,
    fairsum_utils.load("bur") needs no installing.

    examples:
      fairsum publish install                then, in Python: evaluate.load("fairsum/bur")
      fairsum publish install bur uer --namespace my-team   evaluate.load("my-team/bur")
      fairsum publish install --list                       what is installed; changes nothing
      fairsum publish install --uninstall                  removes what was installed, and nothing else
    """
    from fairsum_utils._util.terminal import printable
    from fairsum_utils.cli.terminal import show
    from fairsum_utils.integrations import modules

    exclusive(options, "uninstall", "list")
    action = modules.uninstall if options.uninstall else modules.states if options.list else modules.install
    outcome = action(options.names or None, namespace=options.namespace)
    show(printable(report(outcome, str(modules.modules_folder()))))
    return 0


def report(outcome: Mapping[str, str], folder: str) -> str:
    """Return a line per module.

    Args:
        outcome: name -> what became of it.
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

"""The names of all commands, as the program lists them."""
import re


def command_names(run):
    """Returns the names, such as `meeting create`. `run(*words)` returns the output of the program."""
    listed = re.split("\n(?:Topics|주제)\n", run("help"))[0]
    names = []
    for name, row in re.findall(r"^  ([a-z]+(?:-[a-z]+)*)  +(\S.*)", listed, re.MULTILINE):
        page = run("help", name)
        if page.startswith("  "):
            names += re.findall(rf"^  ({name}(?: [a-z-]+)+)(?:  +\S|$)", page, re.MULTILINE)
            continue
        # The row of a command that is also a group, such as `poll`, ends with the names of the others.
        words = re.search(r"(?:, [a-z-]+)*$", row).group().split(", ")[1:]
        others = [f"{name} {word}" for word in words]
        names += [name] + [other for other in others
            if run("help", *other.split()).startswith(f"qring {other}: ")]
    return names

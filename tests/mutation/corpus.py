"""The files of the corpus, made by the forge, and the list of them that the programs here read."""
import os
import subprocess

FORMATS = ("tod", "hmd", "tra", "camerawork")
BEGINS_COMPANION = b"\x1c"  # as in fuzz/fuzz_format.c
WITH_COMPANION = ("tra",)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def header(path, name):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(f"# {name}: "):
                return line.split(": ", 1)[1].strip()
    return None


def language(path):
    """The first word of a description says what it describes."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words:
                return words[0]
    return "tod"


def forge(tool, description, out):
    made_of = max(os.stat(path).st_mtime for path in (tool, description))
    if not os.path.exists(out) or os.stat(out).st_mtime < made_of:
        subprocess.run([tool, language(description), description, "-o", out], check=True)
    return out


def seed(path, name, folder):
    """The fields of a seed: itself, or the asset and its companion where it holds both."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.find(BEGINS_COMPANION) if name in WITH_COMPANION else -1
    if at < 0:
        return [path]
    parts = [os.path.join(folder, f"{os.path.basename(path)}.{end}") for end in (name, "bac")]
    for part, content in zip(parts, (data[:at], data[at + 1:])):
        with open(part, "wb") as file:
            file.write(content)
    return parts


def write_seeds(root, name, folder):
    source = os.path.join(root, "corpus", "seeds", name)
    os.makedirs(folder, exist_ok=True)
    for file in sorted(os.listdir(source)):
        yield "\t".join([name, f"{name}/seeds/{file}", *seed(os.path.join(source, file), name, folder)])


def write_list(root, tool, folder):
    """Makes every asset of the corpus below `folder`, and returns the path of the list of them and
    of the seeds."""
    lines = []
    for name in FORMATS:
        source = os.path.join(root, "corpus", name)
        made = os.path.join(folder, name)
        os.makedirs(made, exist_ok=True)
        for file in sorted(os.listdir(source)):
            path = os.path.join(source, file)
            if not file.endswith(".forge") or language(path) in ("image", "bac"):
                continue
            line = [name, f"{name}/{file}", forge(tool, path, os.path.join(made, file[:-6]))]
            model = header(path, "bac")
            if model is not None:
                line.append(forge(tool, os.path.join(source, model), os.path.join(made, model[:-6])))
            lines.append("\t".join(line))
        lines += write_seeds(root, name, os.path.join(made, "seeds"))
    listing = os.path.join(folder, "list")
    text = "\n".join(lines) + "\n"
    if not os.path.exists(listing) or read(listing) != text:
        with open(listing, "w", encoding="utf-8") as file:
            file.write(text)
    return listing

"""A style to start from: every key with an example, as comments that one takes the # away from."""

from __future__ import annotations

from attnsolve.style import WORDS

STYLE = """\
format: 1
# The house style of your documents: attnsolve render PROBLEM --style {folder} -o sheet.tex
# Take the # away from what you want to change; docs/style.md says more.

# class: scrartcl                      # the document class of your department (default article)
# class_options: [twoside]
# page: a4                             # or letter
# margin: 25mm
preamble: preamble.tex                 # your own TeX, put at the end of the preamble as it is
header: {{left: Deep Learning, right: '{{title}}'}}
footer: {{centre: '{{page}} of {{pages}}'}}
# fonts: {{package: mathpazo, main: TeX Gyre Pagella, size: 11}}  # for pdflatex; for lualatex
colours: {{title: '1F4E79', headings: '1F4E79'}}
# ink: saving                          # no colours and shades, smaller letters and margins
# logo: logo.pdf                       # beside this file, for title pages and the heads of sheets
# cover: [name, id, seat, declaration, signature]  # what is filled in on the title page of an exam
# declaration: 'This is my own work.'  # what is signed there
# hide: [source, pitfalls]             # also shapes, checks, meanings, by_hand, names, published, notes
words:
{words}
"""
PREAMBLE = """\
% Your own TeX: packages, commands, what your department's documents begin with.
% \\usepackage{microtype}
"""


def starter(folder: str) -> dict[str, str]:
    """The files of a new style by name."""
    words = "\n".join(f"  {key}: '{word.usual}'" for key, word in WORDS.items())
    return {"style.yaml": STYLE.format(folder=folder, words=words), "preamble.tex": PREAMBLE}

#!/usr/bin/env python3
"""Plants faults in C files: finds the places with libclang, and writes the files anew with a switch
at each.

A fault is another comparison (`<` for `<=`, `!=` for `==`), another connective (`||` for `&&`),
another sum (`-` for `+`), or another constant (one more). Inside functions every fault of a file is
there at once and chosen while the program runs; where the language wants a constant, the fault is
chosen when the file is compiled. What macros make of their arguments is left as it is.

The switch is told, too, whether the fault would make a difference at this place, now: `<=` for `<`
does so only where both sides are equal. A run in which it never would is the same with the fault.
"""
import re

import clang.cindex as clang

KIND = clang.CursorKind
OTHER = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "+": ("-",), "-": ("+",), "&&": ("||",), "||": ("&&",),
}
LITERALS = (KIND.INTEGER_LITERAL, KIND.CHARACTER_LITERAL, KIND.FLOATING_LITERAL)
CONSTANT = (KIND.ENUM_DECL, KIND.FIELD_DECL, KIND.TYPEDEF_DECL, KIND.STRUCT_DECL, KIND.UNION_DECL)
SKIPPED = (KIND.STATIC_ASSERT,)


# The largest numbers of their types: the integer sanitizer does not let them be counted on.
BEHIND_LARGEST = {"7fffffff": "(-0x7fffffff - 1)", "ffffffff": "0u", "f" * 16: "0ull"}


def one_more(literal):
    digits = re.match(r"0[xX]([0-9a-fA-F]+)", literal)
    behind = BEHIND_LARGEST.get(digits and digits.group(1).lower())
    return behind or f"{literal} + 1"


class Mutant:
    def __init__(self, number, path, line, what, constant):
        self.number, self.path, self.line, self.what = number, path, line, what
        self.constant = constant


class Planter:
    """The edits of one file. `number` counts the mutants of all files."""

    def __init__(self, path, shown, arguments, number, constants=True):
        with open(path, "rb") as file:
            self.source = file.read()
        self.path, self.shown, self.number = path, shown, number
        self.constants = constants  # a header's would be another program for every file
        self.mutants, self.inserts, self.cuts = [], [], []
        self.seen = set()
        self.choices = set()
        options = clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        self.unit = clang.Index.create().parse(path, args=arguments, options=options)
        broken = [d for d in self.unit.diagnostics if d.severity >= clang.Diagnostic.Error]
        if broken:
            raise RuntimeError(f"{path}: {broken[0]}")
        self.macros = [self.span(node) for node in self.unit.cursor.get_children()
                       if node.kind == KIND.MACRO_INSTANTIATION and self.is_here(node)]
        self.macros += [self.span(node) for node in self.unit.cursor.get_children()
                        if node.kind == KIND.MACRO_DEFINITION and self.is_here(node)]

    def is_here(self, node):
        file = node.location.file
        return file is not None and file.name == self.path

    @staticmethod
    def span(node):
        return node.extent.start.offset, node.extent.end.offset

    def in_macro(self, start, end):
        """A range that is part of a macro's use, or cuts one."""
        return any(start < e and s < end and not (start <= s and e <= end)
                   for s, e in self.macros)

    def new(self, node, what, constant):
        self.number += 1
        mutant = Mutant(self.number, self.shown, node.extent.start.line, what, constant)
        self.mutants.append(mutant)
        return self.number

    def plant(self):
        for node in self.unit.cursor.get_children():
            if self.is_here(node):
                self.visit(node)
        return self

    def visit(self, top):
        """Without recursion: expressions of generated tables are deep."""
        stack = [(top, "file", 0)]
        while stack:
            node, context, depth = stack.pop()
            if node.kind in SKIPPED or not self.is_here(node):
                continue
            if node.kind in LITERALS:
                self.literal(node, context)
                continue
            if node.kind == KIND.CXX_UNARY_EXPR:  # sizeof, _Alignof
                continue
            children = list(node.get_children())
            if node.kind == KIND.BINARY_OPERATOR and context == "run":
                self.binary(node, children, depth)
            if node.kind == KIND.CONDITIONAL_OPERATOR:
                self.note_choice(children)
            for child in children:
                stack.append((child, self.context_of(node, child, children, context), depth + 1))

    def context_of(self, node, child, children, context):
        if node.kind == KIND.FUNCTION_DECL:
            return "run" if child.kind == KIND.COMPOUND_STMT else "skip"
        if context == "skip":
            return "skip"
        if node.kind in CONSTANT:
            return "constant"
        if node.kind == KIND.VAR_DECL:
            is_local = context == "run" and node.storage_class != clang.StorageClass.STATIC
            if "=" not in self.text(self.span(node)[0], self.span(child)[0]):
                return "constant"  # the length of an array
            return "run" if is_local else "constant"
        if node.kind == KIND.COMPOUND_LITERAL_EXPR and child.kind != KIND.INIT_LIST_EXPR:
            return "constant"
        if node.kind == KIND.CASE_STMT and child == children[0]:
            return "constant"
        if context == "file":
            return "constant"
        return context

    def text(self, start, end):
        return self.source[start:end].decode()

    def note_choice(self, children):
        """`a < b ? a : b` is the same with `<=`: where both are equal it does not matter which."""
        if len(children) == 3 and children[0].kind == KIND.BINARY_OPERATOR:
            sides = list(children[0].get_children())
            words = [re.sub(r"[\s()]", "", self.text(*self.span(node))) for node in (*sides, *children[1:])]
            if sorted(words[:2]) == sorted(words[2:]):
                self.choices.add(self.span(children[0]))

    def literal(self, node, context):
        start, end = self.span(node)
        if context == "skip" or self.in_macro(start, end) or any(s <= start < e for s, e in self.macros):
            return
        if (start, end) in self.seen:
            return  # what stands in a typedef is there twice
        self.seen.add((start, end))
        old = self.text(start, end)
        if not re.match(r"^('|[0-9.])", old):
            return
        constant = context != "run"
        if constant and not self.constants:
            return
        number = self.new(node, f"{old} becomes {old} + 1", constant)
        choice = f"FH_CONSTANT_MUTANT == {number}" if constant else f"fh_is_mutant({number}, 1)"
        self.cuts.append((start, end, f"({choice} ? {one_more(old)} : {old})"))

    def binary(self, node, children, depth):
        if len(children) != 2:
            return
        (ls, le), (rs, re_) = self.span(children[0]), self.span(children[1])
        start, end = self.span(node)
        if not start == ls < le <= rs < re_ == end:
            return
        if any(self.in_macro(*span) for span in ((start, end), (ls, le), (rs, re_))):
            return
        between = re.sub(r"/\*.*?\*/", " ", self.text(le, rs), flags=re.S).strip()
        if between not in OTHER or self.is_odd(ls, le) or self.is_odd(rs, re_):
            return
        others = OTHER[between]
        if (start, end) in self.choices:
            others = others[1:]
        pointers = [c.type.get_canonical().kind == clang.TypeKind.POINTER for c in children]
        if between in "+-" and any(pointers):
            return  # a pointer less a number is another fault than this tool looks for
        numbers = [self.new(node, f"{between} becomes {other}", False) for other in others]
        if between in ("&&", "||"):
            self.connect(between, numbers[0], (ls, le, rs, re_), depth)
            return
        key = numbers[0]
        choice = f"l_{key} {between} r_{key}"
        for number, other in zip(numbers, others):
            differs = self.differ(node, key, between, other)
            choice = f"fh_is_mutant({number}, {differs}) ? l_{key} {other} r_{key} : {choice}"
        cast = ["" if self.is_pointer(c) else "+" for c in children]  # bit fields have no type of theirs
        self.insert(ls, f"({{ __auto_type l_{key} = {cast[0]}(", depth, True)
        self.insert(le, ");", depth, False)
        self.cuts.append((le, rs, ""))
        self.insert(rs, f" __auto_type r_{key} = {cast[1]}(", depth, True)
        self.insert(re_, f"); {choice}; }})", depth, False)

    @staticmethod
    def differ(node, key, operator, other):
        """Whether two operators come to something else; 0 and -0 of floating point are two things."""
        if operator not in "+-":
            return f"(l_{key} {other} r_{key}) != (l_{key} {operator} r_{key})"
        is_float = node.type.get_canonical().kind in (clang.TypeKind.FLOAT, clang.TypeKind.DOUBLE)
        return f"r_{key} != 0" + (f" || l_{key} == 0" if is_float else "")

    @staticmethod
    def is_pointer(node):
        return node.type.get_canonical().kind in (clang.TypeKind.POINTER, clang.TypeKind.CONSTANTARRAY,
                                                  clang.TypeKind.INCOMPLETEARRAY)

    def connect(self, operator, number, spans, depth):
        # The other connective asks the right side where this one does not, and what it would say is
        # not known: that counts as a difference. So does not asking where this one does, if a call
        # there may do more than to answer.
        ls, le, rs, re_ = spans
        left = f"!l_{number}" if operator == "&&" else f"l_{number}"
        wanted = f"{'!' if operator == '&&' else ''}fh_is_mutant({number}, {left})"
        differs_with = "0" if operator == "&&" else "1"
        self.insert(ls, f"({{ _Bool l_{number} = (", depth, True)
        joined = "fh_asked" if "(" in self.text(rs, re_) else "fh_joined"
        self.insert(le, f"); l_{number} == {wanted} ? {joined}({number}, {differs_with}, (", depth, False)
        self.cuts.append((le, rs, ""))
        self.insert(re_, f")) : l_{number}; }})", depth, False)

    def is_odd(self, start, end):
        """A range whose parentheses do not close: what a macro made of it."""
        text = self.text(start, end)
        return text.count("(") != text.count(")") or "#" in text or '"' in text

    def insert(self, at, text, depth, opens):
        # At one place: first what closes, the inner first; then what opens, the outer first.
        self.inserts.append((at, 1 if opens else 0, depth if opens else -depth, text))

    def result(self):
        pieces, at, used = [], 0, 0
        inserts = sorted(self.inserts)
        for start, end, text in sorted(self.cuts) + [(len(self.source), len(self.source), "")]:
            while used < len(inserts) and inserts[used][0] <= start:
                place, _, _, inserted = inserts[used]
                pieces += [self.text(at, place), inserted]
                at, used = place, used + 1
            pieces += [self.text(at, start), text]
            at = end
        return "".join(pieces)

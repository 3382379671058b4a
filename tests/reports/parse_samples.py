#!/usr/bin/env python3
"""Reads what write_samples writes with parsers that are not ours, and holds it against the poses
and rules that went in. Usage: parse_samples.py WRITE_SAMPLES"""
import csv
import io
import json
import subprocess
import sys

HOSTILE = 'a\nb\x1b[31m"\\\ufffdé\u202e'
OBJECTS = [(2**63 - 1, -(2**63 - 1), -5e-324)] + [(i, i, 1e300 / 3 * i) for i in range(40)]


def written(form):
    output = subprocess.run([sys.argv[1], form], check=True, stdout=subprocess.PIPE).stdout
    assert b'\x1b' not in output, 'a raw escape sequence'
    return output.decode('utf-8')


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f'a key twice: {keys}'
    return dict(pairs)


def parse(text):
    def refuse(constant):
        raise AssertionError(f'{constant} is not JSON')
    return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=refuse)


def expect(got, wanted):
    assert got == wanted, f'\n   got {got!r}\nwanted {wanted!r}'


def check_json():
    document = parse(written('json'))
    expect([document[key] for key in ('path', 'format', 'evaluator')], [HOSTILE, 'tod', None])
    first, second, third = document['frames']
    expect(first, {'index': 0, 'number': 0, 'object': [{'slot': 1, 'id': None, 'tx': 0.1}]})
    expect(second, {'index': 1, 'number': 4294967295})
    expect(third['light'], [{'r': None}, {'r': None}])
    expect([(row['slot'], row['id'], row['tx']) for row in third['object']], OBJECTS)


def check_csv():
    names, tables, named = {}, {}, None
    for row in csv.reader(io.StringIO(written('csv'), newline=''), strict=True):
        if row[0] == 'table':
            named = row
            continue
        if named is not None:
            assert row[0] not in names, 'columns named twice'
            names[row[0]] = named
            named = None
        expect(len(row), len(names[row[0]]))
        tables.setdefault(row[0], []).append(row[1:])
    assert named is None, 'columns of no table'
    expect(names, {'object': ['table', 'frame', 'number', 'slot', 'id', 'tx'],
                   'light': ['table', 'frame', 'number', 'r']})
    expect(tables['light'], [['2', '7', '']] * 2)
    expect(tables['object'][0], ['0', '0', '1', '', '0.10000000000000001'])
    expect([(int(r[2]), int(r[3]), float(r[4])) for r in tables['object'][1:]], OBJECTS)
    assert all(row[:2] == ['2', '7'] for row in tables['object'][1:])


def check_rules():
    first = {'code': 'TST0001', 'format': 'tst', 'severity': 'error', 'title': HOSTILE,
             'explanation': 'why\ttab', 'source': 'a manual', 'mend': None, 'fix': False,
             'example': None}
    second = {'code': 'TST0002', 'format': 'tst', 'severity': 'note', 'title': 't',
              'explanation': 'e', 'source': 's', 'mend': 'm', 'fix': False,
              'example': None}
    expect(parse(written('rules')), [first, second, dict(first, format='img')])
    expect(parse(written('no-rules')), [])


CHECKS = (check_json, check_csv, check_rules)
print(f'1..{len(CHECKS)}')
for number, check in enumerate(CHECKS, 1):
    check()
    print(f'ok {number} - {check.__name__}')

/** Files of other systems: filled, they differ from before in the cells of marks alone. */
import { describe, expect, it } from 'vitest'
import { pairColumns } from '../../web/lib/gradebook-files/columns.ts'
import { openGradebook } from '../../web/lib/gradebook-files/open.ts'
import { readMarks } from '../../web/lib/gradebook-files/read.ts'
import { recognise } from '../../web/lib/gradebook-files/systems.ts'
import { bytesOf, column, COLUMNS, filled, mark, opened, PEOPLE } from './fixtures/gradebooks.ts'

/** The lines of two files that differ, byte by byte, as the second file has them. Both have as many lines. */
function changedLines(before: Uint8Array, after: Uint8Array, encoding = 'utf-8'): string[] {
  const linesOf = (bytes: Uint8Array) =>
    new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes).split('\n')
  const [old, now] = [linesOf(before), linesOf(after)]
  expect(now).toHaveLength(old.length)
  return now.filter((line, index) => line !== old[index])
}

/** A file with some of its text replaced. */
const changed = (name: string, from: string, to: string) =>
  new TextEncoder().encode(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(name)).replace(from, to),
  )

const usernames = (people: readonly { username: string }[]) => people.map((each) => each.username)

describe('a file of Canvas', () => {
  const before = bytesOf('canvas.csv')

  it('gets marks and EX; maxima, its own columns and its test student stay', () => {
    const { after, report, recognised } = filled(before)
    expect(recognised.system).toBe('canvas')
    expect(recognised.marks.map(({ title, max }) => [title, max])).toEqual([
      ['Loops', 5_000],
      ['Oral exam', 2_000],
      ['Trees, graphs', 10_000],
    ])
    expect(changedLines(before, after)).toEqual([
      '""ill""",42.5,EX,,80.00,80.00,',
      '"Muñoz, Béa",302,s02,bea@example.org,Lab A,,50,12.25,99.99,,,',
      '"王, 小明",303,,,Lab B,,,9,,,,',
    ])
    expect(report.unknown.map(({ row }) => row)).toEqual([6])
    expect(usernames(report.absent)).toEqual(['kim', 'kim2'])
    expect(report.held).toBe(1)
  })

  it('has the columns before an assignment that names a section', () => {
    const bytes = changed('canvas.csv', 'Oral exam (8102)', 'Bisection (8102)')
    const { recognised } = filled(bytes)
    expect(recognised.marks.map(({ title }) => title)).toEqual([
      'Loops',
      'Bisection',
      'Trees, graphs',
    ])
  })

  it('gets marks scaled to its maximum where staff choose so', () => {
    expect(changedLines(before, filled(before, { scaled: new Set([7]) }).after).slice(1)).toEqual([
      '"Muñoz, Béa",302,s02,bea@example.org,Lab A,,50,6.13,99.99,,,',
      '"王, 小明",303,,,Lab B,,,4.5,,,,',
    ])
  })

  it('gets 0 in empty cells alone, where staff choose so', () => {
    const { after } = filled(before, { isEmptyZero: true })
    expect(changedLines(before, after)[0]).toBe('""ill""",42.5,EX,0,80.00,80.00,')
    expect(changedLines(before, after)[2]).toBe('"王, 小明",303,,,Lab B,,0,9,0,,,')
  })

  it('filled once stays as it is', () => {
    const { after } = filled(before)
    const again = filled(after)
    expect(again.after).toEqual(after)
    expect(again.report.changes).toEqual([])
    expect(again.report.same).toBe(6)
  })

  it('keeps 42.50, which is the same mark', () => {
    const bytes = changed('canvas.csv', ',40.00,', ',42.50,')
    expect(changedLines(bytes, filled(bytes).after)[0]).toBe('""ill""",42.50,EX,,80.00,80.00,')
  })
})

describe('a file of Moodle', () => {
  const before = bytesOf('moodle.csv')

  it('gets marks with its decimal comma; its totals stay', () => {
    const { after, report, recognised } = filled(before)
    expect(recognised.system).toBe('moodle')
    expect(changedLines(before, after)).toEqual([
      'Ann;Lee;s01;;;ann@example.org;"42,5";Well done;-;"40,00";1764370000\r',
      'Béa;Muñoz;s02;;;BEA@example.org;50;"Late;\r',
      'but good";12,25;-;1764370000\r',
      '小明;王;;;;;-;;"9";"7,50";1764370000\r',
    ])
    expect(report.excused).toBe(1)
  })

  it('has feedback without a grade only where we have no mark', () => {
    expect(filled(before).report.lostGrades).toBe(1)
    expect(filled(before, { pairs: new Map() }).report.lostGrades).toBe(2)
  })
})

describe('a file of Blackboard', () => {
  it('gets marks within its quotation marks', () => {
    const before = bytesOf('blackboard.csv')
    const { after, recognised } = filled(before)
    expect(recognised.system).toBe('blackboard')
    expect(recognised.marks.map(({ title }) => title)).toEqual(['Loops', 'Oral exam'])
    expect(changedLines(before, after)).toEqual([
      '"Lee","Ann","ann","s01","2026-11-20 10:00:00","Yes","42.5","","40",""',
      '"Muñoz","Béa","bea","s02","","Yes","50","12.25","",""',
    ])
  })

  it.each(['utf-16le', 'utf-16be'])('in %s stays in it', (encoding) => {
    const little = bytesOf('blackboard.xls')
    const before = encoding === 'utf-16le' ? little : little.map((_, at) => little[at ^ 1] ?? 0)
    const { after, file } = filled(before)
    expect(file.encoding).toBe(encoding)
    expect(after.subarray(0, 2)).toEqual(before.subarray(0, 2))
    expect(changedLines(before, after, encoding)).toEqual([
      '"Lee"\t"Ann"\t"ann"\t"s01"\t"42.5"\t""\r',
      '"Muñoz"\t"Béa"\t"bea"\t"s02"\t"50"\t"12.25"\r',
    ])
  })
})

describe('a file of Brightspace', () => {
  it('keeps the marks at the ends of its lines', () => {
    const before = bytesOf('brightspace.csv')
    const { after, recognised } = filled(before)
    expect(recognised.system).toBe('brightspace')
    expect(recognised.marks.map(({ title, max }) => [title, max])).toEqual([
      ['Loops', 5_000],
      ['Oral exam', null],
    ])
    expect(changedLines(before, after)).toEqual([
      '#s01,#ann,Lee,Ann,ann@example.org,42.5,,40,#\r',
      '#s02,#bea,Muñoz,Béa,bea@example.org,50,12.25,,#\r',
    ])
  })

  it('has marks above its maximum', () => {
    const [ann = PEOPLE[0], ...rest] = PEOPLE
    const above = { ...ann, marks: new Map([[1, mark(50.01)]]) } as (typeof PEOPLE)[number]
    expect(filled(bytesOf('brightspace.csv')).report.overMax).toBe(0)
    expect(filled(bytesOf('brightspace.csv'), {}, [above, ...rest]).report.overMax).toBe(1)
  })
})

describe('a table of no known system', () => {
  const before = bytesOf('table.tsv')

  it('is matched by its heads; rows that are not sure stay, and short rows grow', () => {
    const { after, report, recognised } = filled(before)
    expect(recognised.system).toBe('any')
    expect(changedLines(before, after)).toEqual(['bea\tBéa Muñoz\t50\t12.25'])
    expect(
      report.unsure.map(({ row, why, candidates }) => [row, why, usernames(candidates)]),
    ).toEqual([
      [1, 'twice', ['ann']],
      [3, 'twice', ['ann']],
      [4, 'several', ['kim', 'kim2']],
    ])
  })

  it('is filled in the row that staff choose, for a person who fits alone', () => {
    const rows = new Map([
      [1, 'ann'],
      [4, 'bea'],
    ])
    expect(changedLines(before, filled(before, { rows }).after)).toEqual([
      'ann\tAnn Lee\t42.5\t',
      'bea\tBéa Muñoz\t50\t12.25',
    ])
  })

  it('takes the people from the column that staff choose', () => {
    const { table } = opened(before)
    const { keys, marks } = recognise(table, 1)
    expect([...keys]).toEqual([[1, 'login']])
    expect(marks.map(({ head }) => head)).toEqual(['學號', 'Loops', 'Oral exam'])
  })
})

describe('people', () => {
  it('who are named twice differently are not sure', () => {
    const bytes = changed('moodle.csv', 's02;;;BEA@', 'ann;;;BEA@')
    const { unsure } = filled(bytes).report
    expect(unsure.map(({ why, candidates }) => [why, usernames(candidates)])).toEqual([
      ['several', ['ann', 'bea']],
    ])
  })

  it('are found in other forms of Unicode', () => {
    const bytes = changed(
      'canvas.csv',
      'Muñoz, Béa",302,s02,bea@example.org',
      'Muñoz, Béa",302,,'.normalize('NFD'),
    )
    expect([...filled(bytes).report.byRow.values()].map(({ username }) => username)).toContain(
      'bea',
    )
  })
})

describe('columns', () => {
  const { marks } = recognise(opened(bytesOf('canvas.csv')).table, null)

  it('are paired by title, as chosen before, and never with the total by themselves', () => {
    expect([...pairColumns(marks, COLUMNS, new Map())]).toEqual([
      [6, 1],
      [7, 2],
      [8, 3],
    ])
    const kept = new Map([
      ['Loops (8101)', null],
      ['Oral exam (8102)', 9],
      ['Trees, graphs (8103)', 77],
    ])
    expect([...pairColumns(marks, COLUMNS, kept)]).toEqual([[7, 9]])
    const total = marks.map((each) => ({ ...each, title: 'Total' }))
    expect([...pairColumns(total, COLUMNS, new Map())]).toEqual([])
  })

  it('of one title are not paired', () => {
    const two = [...COLUMNS, column(4, 'manual', ' LOOPS', 5)]
    expect(pairColumns(marks, two, new Map()).has(6)).toBe(false)
  })
})

describe('marks that are read', () => {
  const read = (bytes: Uint8Array) => {
    const { file, recognised, pairs } = filled(bytes)
    return readMarks(file, recognised, PEOPLE, { pairs, rows: new Map() })
  }

  it('are those that differ; empty cells change nothing', () => {
    const { edits, faults, same } = read(bytesOf('moodle.csv'))
    expect(edits.map((each) => [each.person.username, each.columnId, each.hundredths])).toEqual([
      ['ann', 1, 4_000],
      ['ming', 2, 750],
    ])
    expect([faults, same]).toEqual([[], 0])
  })

  it('may be excused', () => {
    const { edits, same } = read(changed('canvas.csv', ',40.00,,', ',ex,EX,'))
    expect(edits.map(({ columnId, hundredths }) => [columnId, hundredths])).toEqual([[1, null]])
    expect(same).toBe(1)
  })

  it.each([
    ['-1', 'number'],
    ['12 points', 'number'],
    ['1e3', 'number'],
    ['100000.01', 'number'],
    ['1.005', 'decimals'],
    ['1.000', 'decimals'],
    ['1,000', 'decimals'],
    ['4.1E+10', 'number'],
  ])('are not %s', (value, kind) => {
    const { edits, faults } = read(changed('canvas.csv', ',40.00,', `,"${value}",`))
    expect(faults).toEqual([{ row: 3, head: 'Loops (8101)', value, kind }])
    expect(edits).toEqual([])
  })

  it('are one for a student and a column', () => {
    const bytes = new TextEncoder().encode('username,A,B\nann,1,2\n')
    const { file, recognised } = filled(bytes)
    const pairs = new Map([
      [1, 2],
      [2, 2],
    ])
    const { edits, faults } = readMarks(file, recognised, PEOPLE, { pairs, rows: new Map() })
    expect(edits).toHaveLength(1)
    expect(faults).toEqual([{ row: 1, head: 'B', value: '2', kind: 'twice' }])
  })
})

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('a file that is no gradebook', () => {
  it.each([
    ['empty', utf8('')],
    ['empty', utf8('\u{feff} \r\n')],
    ['workbook', latin1('PK\x03\x04…[Content_Types].xml…xl/workbook.xml')],
    ['workbook', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    ['zip', latin1('PK\x03\x04\x14\0\0\0grades.csv')],
    ['pdf', latin1('%PDF-1.7\n')],
    ['html', utf8('\n<!DOCTYPE html><title>Sign in</title>')],
    ['html', utf8('<table><tr><td>Student')],
    ['notText', latin1('\x89PNG\r\n\x1a\n')],
    ['encoding', latin1('username,Loops\nb\xe9a,3\n')],
    ['encoding', latin1('u\0s\0e\0r\0,\0A\0\n\0')],
    ['encoding', latin1('\xff\xfeu\0s')],
    ['noTable', utf8('username,Loops\n')],
    [
      'noTable',
      utf8('Dear all,\nthe marks follow.\n').map((byte) => (byte === 0x2c ? 0x21 : byte)),
    ],
    ['unclosed', utf8('username,Loops\n"ann,3\n')],
  ])('is %s', (why, bytes) => {
    expect(openGradebook(bytes)).toMatchObject({ why })
  })

  it('is too large', () => {
    expect(openGradebook(new Uint8Array(20 * 1024 ** 2 + 1))).toEqual({ why: 'tooLarge' })
  })

  it('says in which row a quotation mark is not closed', () => {
    expect(openGradebook(utf8('a,b\n1,2\n"3,4'))).toEqual({ why: 'unclosed', row: 3 })
  })
})

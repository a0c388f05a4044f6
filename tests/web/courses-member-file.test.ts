/** Files as Excel writes them in Taiwan, in Germany and in English. */
import { describe, expect, it } from 'vitest'
import { chinese, english, taiwanese } from './fixtures/catalogues.ts'
import { decodeText, ENCODINGS, findEncoding } from '../../web/lib/files/file-text.ts'
import { planLabels, toMemberLabels } from '../../web/features/courses/label-column.ts'
import { FIELDS, matchColumns } from '../../web/lib/files/person-heads.ts'
import {
  findShortened,
  readTable,
  templateCsv,
  toApiCsv,
  toMembers,
} from '../../web/features/courses/member-file.ts'

/** Excel in Taiwan: “CSV (comma separated)”, in Big5. */
const TAIWANESE = Buffer.from(
  'bec7b8b92ca96da6572cb971a46cb66ca5f30d0a6230312ca4fda470a9fa2c623031406e746e752e746573740d0a6230322cb3afacfcacc22c623032406e746e752e746573740d0a6230332cb4e5bffca95b2c623033406e746e752e746573740d0a',
  'hex',
)

/** A text in Windows-1252; its letters have the same numbers as in Unicode. */
function western(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
}

/** Excel in Germany separates by semicolons, because the comma is the decimal sign. */
const GERMAN = western(
  [
    'Benutzername;Nachname;Vorname;E-Mail-Adresse',
    'mueller;Müller;Jürgen;mueller@uni.test',
    'weiss;Weiß;Änne;weiss@uni.test',
    'oezdemir;Özdemir;Gül;oezdemir@uni.test',
    '',
  ].join('\r\n'),
)

/** Excel in English: “CSV UTF-8”, with a byte order mark. */
const ENGLISH = Buffer.from(
  '\u{feff}Student ID,Name,Email,Password\r\ns101,"Lovelace, Ada",s101@school.test, two  blanks \r\n',
)

/** The lines that the API gets from a file, without corrections by hand. */
function apiCsvOf(bytes: Uint8Array): string[] {
  const table = readTable(bytes, findEncoding(bytes), null)
  return toApiCsv(toMembers(table, matchColumns(table.heads))).split('\n')
}

const HEAD = 'username,password,email,displayedName,role'

describe('a file of members', () => {
  it('from Taiwan is Big5', () => {
    expect(findEncoding(TAIWANESE)).toBe('big5')
    expect(apiCsvOf(TAIWANESE)).toEqual([
      HEAD,
      'b01,,b01@ntnu.test,王小明,',
      'b02,,b02@ntnu.test,陳美玲,',
      'b03,,b03@ntnu.test,游錫坤,',
    ])
  })

  it('from Germany is Windows-1252 with semicolons, and joins the names', () => {
    expect(findEncoding(GERMAN)).toBe('windows-1252')
    expect(apiCsvOf(GERMAN)).toEqual([
      HEAD,
      'mueller,,mueller@uni.test,Jürgen Müller,',
      'weiss,,weiss@uni.test,Änne Weiß,',
      'oezdemir,,oezdemir@uni.test,Gül Özdemir,',
    ])
  })

  it('in English is UTF-8 with a mark; a comma within quotes stays, a password as it is', () => {
    expect(apiCsvOf(ENGLISH)).toEqual([
      HEAD,
      's101," two  blanks ",s101@school.test,"Lovelace, Ada",',
    ])
  })

  it.each(['utf-16le', 'utf-16be'] as const)(
    '“Unicode text” is %s with tabs, marked or not',
    (encoding) => {
      const text = 'username\temail\t姓\t名\r\nb01\tb01@ntnu.test\t王\t小明\r\n'
      for (const mark of ['\u{feff}', '']) {
        const bytes = Buffer.from(mark + text, 'utf16le')
        if (encoding === 'utf-16be') bytes.swap16()
        expect(findEncoding(bytes)).toBe(encoding)
        expect(apiCsvOf(bytes)).toEqual([HEAD, 'b01,,b01@ntnu.test,王小明,'])
      }
    },
  )

  it('in ASCII, or empty, is UTF-8', () => {
    expect(findEncoding(western('username,email\n'))).toBe('utf-8')
    expect(findEncoding(new Uint8Array())).toBe('utf-8')
    expect(readTable(new Uint8Array(), 'utf-8', null)).toMatchObject({ heads: [], rows: [] })
  })

  it.each(ENCODINGS)('in %s can be chosen by hand', (encoding) => {
    expect(decodeText(western('a,b'.padEnd(4)), encoding)).toBeTypeOf('string')
  })

  it('French names are not taken for Chinese', () => {
    expect(findEncoding(western('nom,email\nAgnès Lefèvre,a@fac.test\nÉlodie,b@fac.test'))).toBe(
      'windows-1252',
    )
  })
})

describe('the rows', () => {
  it('keep the numbers of the spreadsheet beside blank ones and the hint of Excel', () => {
    const text = 'sep=;\r\nusername;email\r\n\r\na;a@x.test\r\n;;\r\nb;b@x.test'
    const table = readTable(western(text), 'utf-8', null)
    expect(table.separator).toBe(';')
    expect(table.rows.map(({ number, cells }) => [number, cells[0]])).toEqual([
      [4, 'a'],
      [6, 'b'],
    ])
  })

  it('take one line each for the API, line breaks or not', () => {
    const table = readTable(
      western('username,email,name\n"a\nb",a@x.test,"x\r\ny"\nc,d,e'),
      'utf-8',
      null,
    )
    const csv = toApiCsv(toMembers(table, matchColumns(table.heads)))
    expect(csv.split('\n')).toEqual([HEAD, 'a b,,a@x.test,x y,', 'c,,d,e,'])
  })

  it('name the quotation mark that never ends', () => {
    const table = readTable(
      western('username,email\na,a@x.test\n"b,b@x.test\nc,c@x.test'),
      'utf-8',
      null,
    )
    expect(table.unclosed).toBe(3)
  })
})

describe('a number that a spreadsheet has shortened', () => {
  const found = (text: string) => {
    const table = readTable(western(text), 'utf-8', null)
    return findShortened(table, matchColumns(table.heads))
  }

  it.each(['4.11E+10', '4,11E+10', '4E+10', ' 4.11e+10 '])('is found with its row: %j', (cell) => {
    expect(found(`username;email\na;a@x.test\n${cell};b@x.test\n`)).toEqual({
      row: 3,
      cell: cell.trim(),
    })
  })

  it.each(['41100000000', '4e10', 'E+10', 'b4.11E+10'])('is no other name: %j', (cell) => {
    expect(found(`username;email\n${cell};b@x.test\n`)).toBeNull()
  })

  it('matters in columns that are used alone', () => {
    expect(found('username;email;points\na;a@x.test;1.5E+10\n')).toBeNull()
    expect(found('username;email;password\na;a@x.test;1.5E+10\n')).toMatchObject({ row: 2 })
  })
})

describe('the heads', () => {
  it.each([
    ['english', english],
    ['chinese', chinese],
    ['taiwanese', { csv: { column: { ...chinese.csv.column, ...Object(taiwanese).csv?.column } } }],
  ])('are known as the %s page calls them, so the template is, too', (_, { csv }) => {
    expect(FIELDS.map((field) => matchColumns([csv.column[field]])[0])).toEqual([...FIELDS])
  })

  it.each([
    ['E-Mail', 'email'],
    ['Ihre E-Mail (dienstlich)', 'email'],
    ['Matrikel-Nr.', 'username'],
    ['學號', 'username'],
    ['学号', 'username'],
    ['USER_NAME', 'username'],
    ['Last name', 'familyName'],
    ['Ｅｍａｉｌ', 'email'],
    ['Telefon', null],
    ['', null],
  ])('%s', (head, field) => {
    expect(matchColumns([head])).toEqual([field])
  })

  it('that mean the same are taken once', () => {
    expect(matchColumns(['Email', 'Mail', 'User'])).toEqual(['email', null, 'username'])
  })

  it('of the template are read by whoever fills it in', () => {
    const filled = `${templateCsv(['Username', 'Email'])}a,a@x.test`
    const bytes = Buffer.from(filled)
    const table = readTable(bytes, findEncoding(bytes), null)
    expect(table.heads.slice(0, 2)).toEqual(['Username', 'Email'])
  })
})

describe('the column of labels', () => {
  const labels = [{ id: 3, name: 'Lab A', shown: false }]
  const named = (...cells: string[]) => cells.map((cell) => ({ labels: cell }))

  it('is read, and is no part of what the API takes', () => {
    const table = readTable(Buffer.from('user,email,標籤\na,a@x.test,Lab A; 組一\n'), 'utf-8', null)
    const members = toMembers(table, matchColumns(table.heads))
    expect(members.map((member) => member.labels)).toEqual(['Lab A; 組一'])
    expect(toApiCsv(members)).toBe(`${HEAD}\na,,a@x.test,,`)
  })

  it('says which labels are new, and which names no label can have', () => {
    const long = 'x'.repeat(33)
    const plan = planLabels(named('lab a；Lab B', '', `LAB B;${long}`), labels)
    expect(plan).toMatchObject({ count: 2, newNames: ['LAB B', long], badNames: [long] })
    expect(plan.isTooMany).toBe(false)
    const many = Array.from({ length: 100 }, (_, index) => `L${index}`).join(';')
    expect(planLabels(named(many), labels).isTooMany).toBe(true)
    expect(planLabels(named(many), []).isTooMany).toBe(false)
  })

  it('gives the students of the course their labels by the usernames of the import', () => {
    const rows = ['ANN', 'bob', 'tom'].map((username, index) => ({
      line: index + 2,
      username,
      action: 'none' as const,
    }))
    const students = ['ann', 'bob'].map((username) => ({
      username,
      displayedName: '',
      role: 2 as const,
    }))
    const members = named('Lab A;lab a', '', 'Lab A')
    expect(toMemberLabels(members, rows, { labels, students })).toEqual([
      { username: 'ann', labels: [3] },
    ])
  })
})

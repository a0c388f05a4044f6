/**
 * `npm run count -- [REF…]`: figures about the project's size at a commit (default HEAD), a column per commit.
 * `--list` names instead what it has found: long functions, raw SQL, compared roles, dead references, unused exports.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'
import { listComparedRoles } from './compared-roles.ts'
import { runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'

const LONG_FUNCTION = 60
const LONG_FILE = 400
const CODE = new Set(['.ts', '.tsx', '.c', '.h', '.cpp', '.py', '.css', '.sh', '.html'])
const FOLDERS = ['runner', 'scripts', 'tests', 'web', 'worker']
/** Matches references to documents outside the repository. Standards do not match: they are named in full ("RFC 9110 §14"). */
const ABSENT_DOCUMENT =
  /\bthe spec(?:['’]s|ification)?\b|\b(?:contract|spec|design|specification)[ (]*§|\b(?:judge design|acceptance check)\b/i
const TABLE = /sqliteTable\(\s*'(\w+)'/g
const NAMED_TABLE = /\b(?:from|join|into|update)\s+([a-z_]+)/gi
const HISTORY = ['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset']

/** What was found in the code. Each entry is `file:line what`; for an unused export it is `file name`. */
type Findings = Record<'functions' | 'sql' | 'roles' | 'references' | 'exports', string[]>

function git(args: readonly string[], input?: string): Buffer {
  return execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30, ...(input && { input }) })
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** Adds the finds of one TypeScript file; returns its text without comments. */
function readProgram(file: string, text: string, tables: Set<string>, findings: Findings): string {
  const { program, comments } = parseSync(file, text)
  const at = (offset: number) => `${file}:${lineAt(text, offset)}`
  const source = (node: ESTree.Node) => text.slice(node.start, node.end)
  const onFunction = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    const lines = lineAt(text, node.end) - lineAt(text, node.start) + 1
    const name = ('id' in node && node.id?.name) || 'anonymous'
    if (lines > LONG_FUNCTION) findings.functions.push(`${at(node.start)} ${name} ${lines}`)
  }
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql' || !file.startsWith('worker/')) return
      for (const { value } of quasi.quasis)
        for (const [, name = ''] of value.raw.matchAll(NAMED_TABLE))
          if (tables.has(name)) findings.sql.push(`${at(quasi.start)} ${name}`)
    },
    ExportNamedDeclaration({ declaration }) {
      const names =
        declaration?.type === 'VariableDeclaration'
          ? declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
          : [declaration && 'id' in declaration && declaration.id ? source(declaration.id) : '']
      findings.exports.push(...names.filter((name) => name !== '').map((name) => `${file} ${name}`))
    },
  }).visit(program)
  findings.roles.push(...listComparedRoles(file, text))
  for (const { start, value } of comments)
    if (ABSENT_DOCUMENT.test(value)) findings.references.push(`${at(start)} ${value.trim()}`)
  let code = text
  for (const { start, end } of comments.toReversed()) code = code.slice(0, start) + code.slice(end)
  return code
}

/** Exported names that occur in no other file. */
function unusedExports(exports: string[], codes: string[]): string[] {
  const files = new Map<string, number>()
  for (const code of codes)
    for (const word of new Set(code.match(/[$\w]+/g))) files.set(word, (files.get(word) ?? 0) + 1)
  return exports.filter((where) => files.get(where.split(' ')[1] ?? '') === 1)
}

/** All figures of one commit, in the order they are printed. */
function count(ref: string, list: boolean): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'count-'))
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git(['archive', ref]) })
    const files = git(['ls-tree', '-r', '--name-only', ref]).toString().trim().split('\n')
    const bytes = new Map(files.map((file) => [file, readFileSync(join(folder, file))]))
    const text = (file: string) => (bytes.get(file) ?? '').toString()
    const lines = (file: string) => text(file).split('\n').length - 1
    const schema = files.filter((file) => /^worker\/db\/.*schema/.test(file)).map(text)
    const tables = new Set([...schema.join('\n').matchAll(TABLE)].map(([, name = '']) => name))
    const findings: Findings = { functions: [], sql: [], roles: [], references: [], exports: [] }
    const codes = files
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readProgram(file, text(file), tables, findings))
    const unused = unusedExports(findings.exports, codes)
    const { functions, sql, roles, references } = findings
    if (list) console.log([functions, sql, roles, references, unused].flat().join('\n'))

    const programs = files.filter((file) => CODE.has(extname(file)))
    const pages = files.filter((file) => file.endsWith('.md'))
    const sum = (names: string[]) => names.reduce((total, file) => total + lines(file), 0)
    const inFolders = FOLDERS.flatMap((name): [string, number][] => {
      const inside = programs.filter((file) => file.startsWith(`${name}/`))
      return [
        [`${name}/: files of code`, inside.length],
        [`${name}/: lines of code`, sum(inside)],
      ]
    })
    const longFiles = programs.filter((file) => lines(file) > LONG_FILE)
    const outsideTests = functions.filter((where) => !where.startsWith('tests/'))
    const templates = new Set(sql.map((where) => where.split(' ')[0]))
    const kb = (size: number) => Math.round(size / 1024)
    return new Map<string, number>([
      ...inFolders,
      ['files', files.length],
      ['lines of code', sum(programs)],
      ['lines of pages (.md)', sum(pages)],
      [`files of code over ${LONG_FILE} lines`, longFiles.length],
      [`functions over ${LONG_FUNCTION} lines`, functions.length],
      ['  of these outside tests', outsideTests.length],
      ['raw SQL: bare table names', sql.length],
      ['  templates that hold them', templates.size],
      ['raw comparisons of roles', roles.length],
      ['comments citing absent documents', references.length],
      ['exported names of one file only', unused.length],
      ['checkout, KB', kb([...bytes.values()].reduce((total, { length }) => total + length, 0))],
      ['clone of the newest commit, KB', kb(git(['archive', '--format=tgz', ref]).length)],
      ['clone with history, KB', kb(git(HISTORY, `${ref}\n`).length)],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const named = args.filter((arg) => arg !== '--list')
  const columns = (named.length > 0 ? named : ['HEAD']).map((ref) =>
    count(ref, args.includes('--list')),
  )
  for (const label of columns[0]?.keys() ?? []) {
    const figures = columns.map((column) => `${column.get(label)}`.padStart(9))
    console.log(label.padEnd(36), ...figures)
  }
}

await runCommand(main)

/** Finds code of the Worker and the web app that compares names of roles rather than asking for a right. */
import { parseSync, Visitor, type ESTree } from 'vite'

const IS_ROLE = /(?:^|\.)(?:\w*[rR]ole|standing)$/
const IS_A_ROLE = /^(?:[012]|'(?:admin|teacher|ta|student|outsider)'|ROLES\.\w+)$/
/** Comparisons in SQL: `${memberships.role} = 'ta'`, `${standing} in ('admin', …)`. */
const IN_SQL =
  /(?:\$\{[^}]*(?:[rR]ole|[sS]tanding)[^}]*\}|\b[\w.]*role)\s+(?:=|<>|!=|is not|is|not in|in)\s+\(?(?:'(?:admin|teacher|ta|student|outsider)'|\$\{ROLES\.\w+\}|[012]\b)/g
/** The files in which roles become rights. */
const HOME_OF_RIGHTS = new Set(['worker/contract/roles.ts', 'worker/db/standing.ts'])

/** The text of a template; templates inside it are visited separately. */
function withoutNested(
  { quasis, expressions }: ESTree.TemplateLiteral,
  source: (node: ESTree.Node) => string,
): string {
  const values = expressions.map(source)
  return quasis
    .map(({ value: { raw } }, index) => {
      const value = values[index]
      return value === undefined ? raw : `${raw}\${${value.includes('`') ? '' : value}}`
    })
    .join('')
}

/** The comparisons in one TypeScript file as `file:line what`; none in files in which roles become rights. */
export function listComparedRoles(file: string, text: string): string[] {
  if (!/^(?:web|worker)\//.test(file) || HOME_OF_RIGHTS.has(file)) return []
  const found: string[] = []
  const source = (node: ESTree.Node) => text.slice(node.start, node.end)
  const note = ({ start }: ESTree.Node, what: string) =>
    found.push(`${file}:${text.slice(0, start).split('\n').length} ${what}`)
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (source(tag) !== 'sql') return
      for (const [compared] of withoutNested(quasi, source).matchAll(IN_SQL)) note(quasi, compared)
    },
    BinaryExpression(node) {
      if (!/^[!=]==$/.test(node.operator)) return
      if (IS_ROLE.test(source(node.left)) && IS_A_ROLE.test(source(node.right)))
        note(node, source(node))
    },
    CallExpression(node) {
      if (!/^(?:eq|ne|inArray|notInArray)$/.test(source(node.callee))) return
      const [left = '', right = ''] = node.arguments.map(source)
      const values = right.replaceAll(/[[\]\s]/g, '').split(',')
      if (IS_ROLE.test(left) && values.some((value) => IS_A_ROLE.test(value)))
        note(node, source(node))
    },
  }).visit(parseSync(file, text).program)
  return found
}

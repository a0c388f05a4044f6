/** Finds code that looks texts up in plain objects, by its types. */
import { API, TypeFlags, type Project } from 'typescript/unstable/sync'
import { SyntaxKind, type Node } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
} from 'typescript/unstable/ast/is'

/** Every node of a file. */
function* nodesIn(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesIn(child)
}

/** The key of a lookup in an object: `object[key]`, `key in object`. */
function keyOf(node: Node): Node | undefined {
  if (isElementAccessExpression(node)) return node.argumentExpression
  return isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword
    ? node.left
    : undefined
}

/**
 * Lists, as `file: code` and each once, lookups whose key may be any text, and each `z.record` of any text, which drops
 * `__proto__`. It leaves out keys that are numbers or one of a few words.
 * @param folder of a tsconfig.json, with a slash at its end; only files in it are read
 */
export function listTextKeys(folder: string): string[] {
  const api = new API({ cwd: folder })
  try {
    const config = `${folder}tsconfig.json`
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`${config} is no project`)
    const files = project.program
      .getSourceFileNames()
      .filter((name) => name.startsWith(folder) && !name.includes('/node_modules/'))
    return files.flatMap((name) =>
      [...new Set(findIn(project, name))].map((code) => `${name.slice(folder.length)}: ${code}`),
    )
  } finally {
    api.close()
  }
}

function findIn({ program, checker }: Project, name: string): string[] {
  const file = program.getSourceFile(name)
  if (!file) return []
  const nodes = [...nodesIn(file)]
  const codeOf = (node: Node) => file.text.slice(node.pos, node.end).trim().replace(/\s+/g, ' ')
  const records = nodes
    .filter(isCallExpression)
    .filter((call) => codeOf(call.expression) === 'z.record')
    .map(codeOf)
    .filter((code) => /^z\.record\( ?z\.string\(\),/.test(code))
  const lookups = nodes.flatMap((node) => {
    const key = keyOf(node)
    return key === undefined ? [] : [{ node, key }]
  })
  const types = lookups.length === 0 ? [] : checker.getTypeAtLocation(lookups.map(({ key }) => key))
  const byText = lookups.filter((_, index) => ((types[index]?.flags ?? 0) & TypeFlags.String) !== 0)
  return [...byText.map(({ node }) => codeOf(node)), ...records]
}

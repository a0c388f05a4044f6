/** Makes the tree of a Markdown text safe to show. */
import type { ElementContent, Nodes, Root, RootContent, Text } from 'hast'
import { urlAttributes } from 'html-url-attributes'

/** Everything else could run something, or tell someone who reads. */
const SAFE_PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:']
/** Of addresses that name no protocol. */
const HERE = 'https://here.invalid'

function isSafe(address: string): boolean {
  return URL.canParse(address, HERE) && SAFE_PROTOCOLS.includes(new URL(address, HERE).protocol)
}

function harmlessChild<Child extends RootContent | ElementContent>(child: Child): Child | Text {
  makeHarmless(child)
  return child.type === 'raw' ? { type: 'text', value: child.value } : child
}

/** HTML becomes the text it was typed as, and addresses that could run something become empty. */
export function makeHarmless(node: Root | Nodes): void {
  if (node.type === 'element')
    for (const name of Object.keys(urlAttributes)) {
      const address = node.properties[name]
      if (address !== undefined && !isSafe(String(address))) node.properties[name] = ''
    }
  if (node.type === 'root') node.children = node.children.map(harmlessChild)
  else if (node.type === 'element') node.children = node.children.map(harmlessChild)
}

/** Sanitizes the tree of a Markdown text. */
import type { ElementContent, Nodes, Root, RootContent, Text } from 'hast'
import { urlAttributes } from 'html-url-attributes'

/** Any other protocol could run code or track the reader. */
const SAFE_PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:']
/** The base of addresses without a protocol. */
const HERE = 'https://here.invalid'

function isSafe(address: string): boolean {
  return URL.canParse(address, HERE) && SAFE_PROTOCOLS.includes(new URL(address, HERE).protocol)
}

function harmlessChild<Child extends RootContent | ElementContent>(child: Child): Child | Text {
  makeHarmless(child)
  return child.type === 'raw' ? { type: 'text', value: child.value } : child
}

/** HTML becomes plain text; unsafe addresses become empty. */
export function makeHarmless(node: Root | Nodes): void {
  if (node.type === 'element')
    for (const name of Object.keys(urlAttributes)) {
      const address = node.properties[name]
      if (address !== undefined && !isSafe(String(address))) node.properties[name] = ''
    }
  if (node.type === 'root') node.children = node.children.map(harmlessChild)
  else if (node.type === 'element') node.children = node.children.map(harmlessChild)
}

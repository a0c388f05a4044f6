/// <reference types="micromark-extension-gfm-autolink-literal" />
/**
 * Makes addresses without brackets end at Chinese and Japanese characters, too: `https://a.org，請看`. The GFM extension
 * reads an address up to the next blank, but these languages write no blanks.
 */
import type { Nodes, PhrasingContent } from 'mdast'
import type { Construct, Event, State } from 'micromark-util-types'
import { lookAhead, toCharacter } from './codes.ts'

const END = /[\s<]|(?=[\p{P}\p{S}])[\u2014\u2018-\u201f\u2026\u3000-\u303f\uff00-\uffef]/u

const BEGINNING = /^(?:https?:\/\/|www\.)[\p{L}\p{N}]/iu

/**
 * The length of the address at the start of a text; 0: there is none. Punctuation at the end of the address belongs to
 * the sentence.
 */
function addressLength(text: string): number {
  const [address = ''] = text.split(END, 1)
  if (!BEGINNING.test(address)) return 0
  let length = address.length
  // A bracket that was opened inside the address is also closed inside it.
  let unopened = address.split(')').length - address.split('(').length
  while (length > 0) {
    const last = address[length - 1] ?? ''
    if (last === ')' ? unopened-- <= 0 : !/[!"'*,.:;?_~\]]/.test(last)) break
    // A named character like `&quot;` is cut off as a whole.
    length -= /&[a-z\d]+;$/i.exec(address.slice(Math.max(0, length - 32), length))?.[0].length ?? 1
  }
  return length
}

/** Whether a label is open that may become a link; a link cannot hold another one. */
function isInLabel(events: Event[]): boolean {
  return events.some(
    ([, { type, _balanced }]) => (type === 'labelLink' || type === 'labelImage') && !_balanced,
  )
}

/** @param before what may stand before an address */
function construct(type: 'literalAutolinkHttp' | 'literalAutolinkWww', before: RegExp): Construct {
  return {
    name: type,
    previous: (code) => before.test(toCharacter(code)),
    tokenize(effects, ok, nok) {
      return lookAhead(effects, END, (text) => {
        let left = addressLength(text)
        if (left === 0 || isInLabel(this.events)) return nok
        const read: State = (code) => {
          effects.consume(code)
          left -= 1
          if (left > 0) return read
          effects.exit(type)
          effects.exit('literalAutolink')
          return ok
        }
        return (code) => {
          effects.enter('literalAutolink')
          effects.enter(type)
          return read(code)
        }
      })
    },
  }
}

export const HTTP_ADDRESS = construct('literalAutolinkHttp', /^[^A-Za-z]?$/)
export const WWW_ADDRESS = construct('literalAutolinkWww', /^(?:[\s(*_[\]~]|[^\0-\x7f])?$/)

/**
 * Cuts an address that mdast-util-gfm has found after an unclosed bracket. Such an address goes on up to a blank, and
 * its node has no position.
 */
function cutAddress(node: PhrasingContent): PhrasingContent[] {
  const [child] = node.type === 'link' && node.position === undefined ? node.children : []
  if (node.type !== 'link' || child?.type !== 'text') return [node]
  const rest = child.value.slice(addressLength(child.value) || child.value.length)
  child.value = child.value.slice(0, child.value.length - rest.length)
  node.url = node.url.slice(0, node.url.length - rest.length)
  return rest === '' ? [node] : [node, { type: 'text', value: rest }]
}

const LINES = ['paragraph', 'heading', 'tableCell', 'emphasis', 'strong', 'delete'] as const

function isLine(node: Nodes): node is Extract<Nodes, { type: (typeof LINES)[number] }> {
  return LINES.some((type) => type === node.type)
}

/** Makes all addresses of a tree end by the same rule as the constructs above. */
export function cutAddresses(node: Nodes): void {
  if (!('children' in node)) return
  for (const child of node.children) cutAddresses(child)
  if (isLine(node)) node.children = node.children.flatMap(cutAddress)
}

import type { Blockquote, Nodes } from 'mdast'

/** The kinds of callouts that GitHub has. */
const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const
type Callout = (typeof CALLOUTS)[number]

/** The kind that `data-callout` names. */
export function toCallout(mark: unknown): Callout {
  return CALLOUTS.find((kind) => kind === mark) ?? 'note'
}

const MARK = new RegExp(`^\\[!(${CALLOUTS.join('|')})\\][ \\t]*(\\n|$)`, 'i')

/** Makes an `aside` with `data-callout` of a quotation that begins with a line like `[!NOTE]`. */
function markCallout(quotation: Blockquote): void {
  const [paragraph] = quotation.children
  const first = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
  if (paragraph?.type !== 'paragraph' || first?.type !== 'text') return
  const mark = MARK.exec(first.value)
  // The quotation is no callout if anything follows the mark on the same line, such as bold text.
  if (!mark || (mark[2] === '' && paragraph.children.length > 1 && !isBreak(paragraph.children[1])))
    return
  first.value = first.value.slice(mark[0].length)
  if (mark[2] === '') paragraph.children.splice(0, 2)
  if (paragraph.children.length === 0) quotation.children.shift()
  quotation.data = { hName: 'aside', hProperties: { dataCallout: mark[1]?.toLowerCase() } }
}

function isBreak(node: Nodes | undefined): boolean {
  return node?.type === 'break'
}

/** Marks the callouts of a text: `> [!NOTE]` and the lines quoted below it. */
export function markCallouts(node: Nodes): void {
  if (node.type === 'blockquote') markCallout(node)
  if ('children' in node) for (const child of node.children) markCallouts(child)
}

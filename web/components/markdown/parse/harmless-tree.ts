/** Sanitizes the tree of a Markdown text. */
import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast'
import { urlAttributes } from 'html-url-attributes'
import { readTextAddress, type Site } from '../../../lib/text/text-address.ts'

/**
 * The element that is shown for an image. Loading an image from another site would tell that site who reads the text.
 * So such an image becomes a link, or text if it is inside another link, with the image's address as `data-image`. An
 * image whose address is refused becomes text.
 */
function shownImage(image: Element, site: Site, isInLink: boolean): ElementContent {
  const { src = '', alt, title } = image.properties
  const { kind, address } = readTextAddress(src, site)
  if (kind === 'own' && address !== '') {
    image.properties['src'] = address
    return image
  }
  const text = { type: 'text', value: alt?.trim() || src } as const
  if (kind !== 'elsewhere') return text
  return {
    type: 'element',
    tagName: isInLink ? 'span' : 'a',
    properties: { ...(isInLink ? {} : { href: address }), title, dataImage: address },
    children: [text],
  }
}

/** Makes a tree harmless: HTML becomes plain text, refused addresses become empty, images from other sites become links. */
export function makeHarmless(node: Root | Nodes, site: Site, isInLink = false): void {
  const isLink = node.type === 'element' && node.tagName === 'a'
  function harmlessChild<Child extends RootContent | ElementContent>(child: Child) {
    if (child.type === 'raw') return { type: 'text', value: child.value } as const
    if (child.type === 'element' && child.tagName === 'img')
      return shownImage(child, site, isInLink || isLink)
    makeHarmless(child, site, isInLink || isLink)
    return child
  }
  if (node.type === 'element')
    for (const name of Object.keys(urlAttributes)) {
      const address = node.properties[name]
      if (address !== undefined)
        node.properties[name] = readTextAddress(String(address), site).address
    }
  if (node.type === 'root') node.children = node.children.map(harmlessChild)
  else if (node.type === 'element') node.children = node.children.map(harmlessChild)
}

/** The addresses of images from other sites in a harmless tree, each once. */
export function imagesElsewhere(node: Nodes): string[] {
  if (!('children' in node)) return []
  const own = node.type === 'element' ? node.properties['dataImage'] : undefined
  const all = node.children.flatMap(imagesElsewhere)
  return [...new Set(own === undefined ? all : [String(own), ...all])]
}

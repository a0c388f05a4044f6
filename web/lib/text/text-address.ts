/** Checks addresses in people's texts, which are opened in the reader's browser, with the reader's session. */
import { pathOfAddress } from '#contract/problems/file-address'

/** The addresses of the pages and of the API. */
export interface Site {
  /** The root of the pages, from which addresses are resolved. From a deeper page, no address would reach more of the API. */
  pages: URL
  api: URL
}

/** @param page address of any page  @param apiBase as `API_BASE` */
export function siteOf(page: string, apiBase: string): Site {
  const pages = new URL('/', page)
  return { pages, api: new URL(apiBase, pages) }
}

/**
 * An address in a text. `own`: an address on the pages' own origin, or a file of the API; `elsewhere`: an address on
 * any other origin; `refused`: an address that could run something, or make a call of the API.
 */
interface TextAddress {
  kind: 'own' | 'elsewhere' | 'mail' | 'refused'
  /** The address to use; empty if it is refused. */
  address: string
}

const REFUSED: TextAddress = { kind: 'refused', address: '' }

/** Any other protocol but `mailto:` could run code or track the reader. */
const WEB: readonly string[] = ['http:', 'https:']

/** If a path is encoded more often than this, that is no accident. */
const MOST_DECODINGS = 4

/**
 * A host name without a final dot. The port and the choice of `http` or `https` make no difference, because cookies
 * ignore both.
 */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

/** The parts of a path, with `..` resolved, as a server may read them. */
function partsOf(path: string): string[] {
  const parts: string[] = []
  for (const part of path.toLowerCase().split(/[/\\]/)) {
    const name = part.replaceAll(/[\0- ]/g, '')
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.') parts.push(name)
  }
  return parts
}

function decode(path: string): string {
  return path.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Whether an address makes a call of the API, however often a server decodes its path. */
function isOfApi(url: URL, { pages, api }: Site): boolean {
  const isOnApiHost = hostOf(url) === hostOf(api)
  if (!isOnApiHost && hostOf(url) !== hostOf(pages)) return false
  const bases = isOnApiHost ? [['api'], partsOf(api.pathname)] : [['api']]
  function isBelowBase(path: string): boolean {
    const parts = partsOf(path)
    return bases.some((base) => base.every((name, index) => parts[index] === name))
  }
  let path = url.pathname
  for (let times = 0; times <= MOST_DECODINGS; times += 1) {
    // A server may check the beginning of a path before or after it resolves `..`.
    const [start = ''] = path.split(/[/\\]\.\./, 1)
    if (isBelowBase(path) || isBelowBase(start)) return true
    // No page's path begins with two slashes; in a redirect, browsers would take the rest for a host.
    if (/^[/\\]{2}/.test(path)) return true
    const decoded = decode(path)
    if (decoded === path) return false
    path = decoded
  }
  return true
}

/** The address of a file of the API as texts write it; null for any other address. */
function fileAddress(url: URL, { pages, api }: Site): string | null {
  const isFile = pathOfAddress(url.pathname) !== null && url.search === ''
  return isFile && [pages.origin, api.origin].includes(url.origin) ? url.pathname + url.hash : null
}

/** Reads an address in a text, however it is written, and says whether it may be used. */
export function readTextAddress(address: string, site: Site): TextAddress {
  if (!URL.canParse(address, site.pages)) return REFUSED
  const url = new URL(address, site.pages)
  if (url.protocol === 'mailto:') return { kind: 'mail', address }
  if (!WEB.includes(url.protocol)) return REFUSED
  if (!isOfApi(url, site))
    return { kind: url.origin === site.pages.origin ? 'own' : 'elsewhere', address }
  const file = fileAddress(url, site)
  return file === null ? REFUSED : { kind: 'own', address: file }
}

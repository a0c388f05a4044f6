import { describe, expect, it } from 'vitest'
import { readTextAddress, siteOf } from '../../web/lib/text/text-address.ts'

const ONE_HOST = siteOf('https://judge.example.org/course/Demo/problem/1', '/api')
const OTHER_PORT = siteOf('http://localhost:8787/', '/api')
const TWO_HOSTS = siteOf('https://web.example.org/', 'https://api.example.org/api')
const DEEP = siteOf('https://judge.example.org/', '/judge/v1')
const BARE = siteOf('https://web.example.org/', 'https://api.example.org')

const ID = '0123456789abcdef01234567'
const FILE = `/api/file/${ID}`
/** A call that no link may make. */
const CALL = 'api/submission/0123456789abcdef01234567/rejudge'

/** Ways to write the address of a call on the pages' own host. */
const WAYS = [
  `/${CALL}`,
  '/api/auth/session',
  '/api',
  '/api/',
  '/api?x',
  '/api#x',
  // Relative, for a page at any depth.
  CALL,
  `./${CALL}`,
  `../${CALL}`,
  `../../../${CALL}`,
  `../../../../../../../../${CALL}`,
  `a/../../${CALL}`,
  `/course/../${CALL}`,
  `/course/./../${CALL}`,
  'api/..%2fapi/auth/session',
  '/api/../api/auth/session',
  // Percent-encoded: the name, dots, slashes, twice.
  '/%61pi/auth/session',
  '/%61%70%69/auth/session',
  '/%2561pi/auth/session',
  '/a%70i%2fauth%2fsession',
  '/course/%2e%2e/api/auth/session',
  '/course%2f..%2fapi/auth/session',
  '/course/%2E%2E%2Fapi/auth/session',
  '/course%5c..%5capi/auth/session',
  '/course/%252e%252e/api/auth/session',
  '/api%2fauth/session',
  '/api%2f..%2f..%2fcourse',
  '/%09api/auth/session',
  '/ap%0ai/auth/session',
  '/%00api/auth/session',
  // Encoded more often than anybody would on purpose.
  `/%${'25'.repeat(6)}61pi/auth/session`,
  `/%${'25'.repeat(50_000)}61pi/auth/session`,
  // Slashes of either kind, and too many slashes.
  '//judge.example.org/api/auth/session',
  '/\\judge.example.org/api/auth/session',
  '\\\\judge.example.org\\api\\auth\\session',
  '\\api\\auth\\session',
  '/course\\..\\api\\auth\\session',
  '///judge.example.org/api/auth/session',
  '/.//api/auth/session',
  '/%5c%5cjudge.example.org%5capi%5cauth%5csession',
  '%5C%5Cjudge.example.org%5Capi%5Cauth%5Csession',
  '/%2fjudge.example.org/api/auth/session',
  'https://judge.example.org//api/auth/session',
  'https:\\\\judge.example.org\\api\\auth\\session',
  'https:/api/auth/session',
  'https:api/auth/session',
  // Characters that browsers leave out.
  '/a\tpi/auth/session',
  '/a\npi/auth/session',
  '/\r\n/judge.example.org/api/auth/session',
  ' \t/api/auth/session',
  '\u0001/api/auth/session',
  'ht\ntps://judge.example.org/api/auth/session',
  // The same host, which gets the cookies.
  'https://judge.example.org/api/auth/session',
  'http://judge.example.org/api/auth/session',
  'https://judge.example.org:443/api/auth/session',
  'https://judge.example.org:8443/api/auth/session',
  'http://judge.example.org:80/api/auth/session',
  'https://JUDGE.Example.ORG/api/auth/session',
  'HTTPS://judge.example.org/api/auth/session',
  'https://judge.example.org./api/auth/session',
  'https://user:pass@judge.example.org/api/auth/session',
  'https://user@judge.example.org:8443/%61pi/auth/session',
  'https://judge%2eexample.org/api/auth/session',
  'https://judge。example。org/api/auth/session',
  'https://ｊｕｄｇｅ.example.org/api/auth/session',
  '/API/auth/session',
  // Addresses that only look like files.
  `${FILE}/../../auth/session`,
  '/api/file/../submission/x/rejudge',
  '/api/file/x%2f..%2f..%2fauth%2fsession',
  `/api/file/${ID}%2f..%2f..%2fauth%2fsession`,
  `${FILE}?x`,
  `${FILE}/`,
  `${FILE}/x`,
  FILE.toUpperCase(),
  `/%61pi/file/${ID}`,
  `/api/file//${ID}`,
  '/api/file/x',
  '/api/file/',
  `https://judge.example.org:8443${FILE}`,
  `http://judge.example.org${FILE}`,
]

describe('with pages and API on one host', () => {
  it.each(WAYS)('the call %j is refused', (address) => {
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'refused', address: '' })
  })

  it.each([
    ['//localhost/api/auth/session'],
    ['http://localhost:1/api/auth/session'],
    ['https://LOCALHOST.:9/%61pi/auth/session'],
  ])('the call %j is refused where the pages have a port', (address) => {
    expect(readTextAddress(address, OTHER_PORT).kind).toBe('refused')
  })

  it.each([
    FILE,
    ` ${FILE}`,
    `https://judge.example.org${FILE}`,
    `//JUDGE.example.org:443${FILE}`,
    `https://user:pass@judge.example.org${FILE}`,
    `../..${FILE}`,
    `/api/file/x/../${ID}`,
  ])('the file %j is named as texts name files', (address) => {
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'own', address: FILE })
  })

  it('a file keeps the part of it that an address names', () => {
    const address = `${FILE}#page=2`
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'own', address })
  })

  it.each([
    '/course/a:b',
    '#top',
    // Browsers resolve the dots before the request.
    '/api/..',
    '?page=2',
    'a/b',
    '/apis',
    '/course/api/problems',
    '/course/%E7%A8%8B%E5%BC%8F/problems',
    '/help/api',
    'https://judge.example.org/course/Demo',
  ])('the page %j is one’s own', (address) => {
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'own', address })
  })

  it.each([
    'https://example.org/api/auth/session',
    'https://example.org/a?b=c#d',
    '//evil.example/x.png',
    'https://judge.example.org:8443/course/Demo',
    'https://judge.example.org.evil.example/x.png',
    'https://judge.example.org@evil.example/x.png',
  ])('%j is elsewhere', (address) => {
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'elsewhere', address })
  })

  it('an address for mail is one', () => {
    const address = 'mailto:a@example.org'
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'mail', address })
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'data:image/png;base64,x',
    'blob:https://judge.example.org/x',
    'file:///etc/passwd',
    'ws://judge.example.org/api/live',
    'https://',
    'https://:x',
  ])('%j, which is no address of the web, is refused', (address) => {
    expect(readTextAddress(address, ONE_HOST)).toEqual({ kind: 'refused', address: '' })
  })
})

describe('with the API on another host', () => {
  it.each([
    '/api/auth/session',
    'https://api.example.org/api/auth/session',
    '//api.example.org/api/auth/session',
    '\\\\API.example.org.\\%61pi\\auth/session',
    'http://u:p@api.example.org:8080/x/../api/auth/session',
    'https://web.example.org:1/api/auth/session',
  ])('the call %j is refused', (address) => {
    expect(readTextAddress(address, TWO_HOSTS).kind).toBe('refused')
  })

  it.each([FILE, `https://api.example.org${FILE}`, `https://web.example.org${FILE}`])(
    'the file %j is named as texts name files',
    (address) => {
      expect(readTextAddress(address, TWO_HOSTS)).toEqual({ kind: 'own', address: FILE })
    },
  )

  it('other addresses of that host are elsewhere', () => {
    expect(readTextAddress('https://api.example.org/x.png', TWO_HOSTS).kind).toBe('elsewhere')
  })

  it('the pages’ own addresses stay theirs where all of that host is the API', () => {
    expect(readTextAddress('https://api.example.org/auth/session', BARE).kind).toBe('refused')
    expect(readTextAddress('/course/Demo', BARE).kind).toBe('own')
  })
})

it.each(['/judge/v1/auth/session', '/judge/x/../v1/auth/session', '/api/auth/session'])(
  'with the API below another path the call %j is refused',
  (address) => {
    expect(readTextAddress(address, DEEP).kind).toBe('refused')
    expect(readTextAddress('/judge/course', DEEP).kind).toBe('own')
  },
)

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { headersFor } from '../../scripts/bundle/web-headers.ts'

const headers = readFileSync(new URL('../../web/public/_headers', import.meta.url), 'utf8')

it.each([undefined, '/api', '/judge/api'])('an API below %s is their own host', (base) => {
  expect(headersFor(headers, base)).toBe(headers)
})

it('an API on another host may be called and show images, by its origin', () => {
  const changed = headersFor(headers, 'https://api.example.org:8443/api/')
  expect(changed).toContain(
    "; connect-src 'self' https://api.example.org:8443 wss://api.example.org:8443; ",
  )
  expect(changed).toContain("; img-src 'self' https://api.example.org:8443 data:")
  expect(changed.replaceAll(/ (https|wss):\/\/api\.example\.org:8443/g, '')).toBe(headers)
})

it.each(['api.example.org', '//api.example.org/api', 'https://', 'ftp://api.example.org', ''])(
  '%j is no base of an API',
  (base) => {
    expect(() => headersFor(headers, base)).toThrow(/^VITE_API_BASE=.* does not work: set /)
  },
)

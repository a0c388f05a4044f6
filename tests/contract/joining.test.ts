/** Codes as people type and read them, and the domains of addresses. */
import { expect, test } from 'vitest'
import { isAtDomain, joinCodeKey, joinCodeText, newJoinCode } from '#contract/joining'

test('a code is read in groups of four, and typed in any way', () => {
  expect(joinCodeText('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN')
  expect(joinCodeText('ABCD')).toBe('ABCD')
  expect(joinCodeKey(' abcd efgh-JKMN\n')).toBe('ABCDEFGHJKMN')
})

test('an address is at a domain or its subdomains, not at one that ends alike', () => {
  const domains = ['example.edu', 'uni.test']
  const at = (address: string) => isAtDomain(address, domains)
  expect(['a@example.edu', 'a@cs.EXAMPLE.edu', 'a@uni.test'].filter(at)).toHaveLength(3)
  expect(['a@notexample.edu', 'a@example.edu.test', 'example.edu@x.test'].filter(at)).toEqual([])
  expect(isAtDomain('a@anywhere.test', [])).toBe(true)
})

test('domains are compared in lower case, and a word alone is none', () => {
  const domainsOf = (domains: string[]) => newJoinCode.safeParse({ domains }).data?.domains
  expect(domainsOf([' Example.EDU '])).toEqual(['example.edu'])
  for (const wrong of ['edu', '@example.edu', 'example..edu', '-a.edu', 'a b.edu'])
    expect(domainsOf([wrong]), wrong).toBeUndefined()
})

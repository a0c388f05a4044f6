import { expect, it } from 'vitest'
import { linkOfHash } from '../../web/lib/session/mailed-link.ts'

it.each([
  ['#token=aB-_9', { purpose: 'token', token: 'aB-_9' }],
  ['#activate=aB-_9', { purpose: 'activate', token: 'aB-_9' }],
  ['#confirm=aB-_9', { purpose: 'confirm', token: 'aB-_9' }],
  ['#move=aB-_9', { purpose: 'move', token: 'aB-_9' }],
  ['#token=', { purpose: 'token', token: '' }],
  ['#x=1&activate=a', { purpose: 'activate', token: 'a' }],
  ['#', null],
  ['', null],
  ['#main', null],
])('the hash %j of an address holds the link %j', (hash, expected) => {
  expect(linkOfHash(hash)).toEqual(expected)
})

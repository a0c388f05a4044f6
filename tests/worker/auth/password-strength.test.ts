/** New passwords that are too easy to guess. */
import { expect, test } from 'vitest'
import { isGuessable } from '../../../worker/lib/password-strength.ts'

const ABOUT = [
  'student1',
  'chen.meiling@ntu.example.test',
  'Meiling Chen',
  'Algorithms 2026',
  '演算法課程',
]

test.each([
  ...'password PASSWORD 123456789 qwerty123 aaaaaaaa password1234 P@ssw0rd! abcdefgh'.split(' '),
  ...'abcabcabc asdfghjkl; 1q2w3e4r5t 20010203 letmein99 student1 Student1! 1tneduts'.split(' '),
  ...'chen.meiling meiling2026 meilingchen algorithms2026 演算法課程'.split(' '),
  'Meiling Chen',
  'coursejudge',
  'CourseJudge1',
])('%s is refused', (password) => {
  expect(isGuessable(password, ABOUT)).toBe(true)
})

test.each([
  'demo-password',
  'long enough',
  'a fine password',
  'correct horse battery',
  'x7Kq9mPz',
  '貓在屋頂上睡覺喝茶',
])('%s is taken', (password) => {
  expect(isGuessable(password, ABOUT)).toBe(false)
})

/** The given word after this many other words, in the order of guessing. */
function wordsBefore(last: string, count: number): string[] {
  return [...Array.from({ length: count }, (_, index) => `known${index}`), last]
}

test.each([
  ['qj', false],
  ['qjw', true],
])('behind a late guess, %s as a word of the person makes a difference: %s', (own, isRefused) => {
  const words = wordsBefore('xvqzrk', 6_000)
  expect(isGuessable(`xvqzrk${own}`, words)).toBe(false)
  expect(isGuessable(`xvqzrk${own}`, [own, ...words])).toBe(isRefused)
})

test('a word of the person is found however it is written', () => {
  for (const written of ['Großmann', 'GROßMANN', 'großmann'])
    expect(isGuessable('großmann', [written])).toBe(true)
  expect(isGuessable('großmann', [])).toBe(false)
})

test('a password that takes a million guesses is taken, and none that takes fewer', () => {
  // By zxcvbn a word and three other characters take 2! · rank · 10³ + 10⁴ guesses. The product's name is the first word.
  expect(isGuessable('xvqzrkx7w', wordsBefore('xvqzrk', 493))).toBe(false)
  expect(isGuessable('xvqzrkx7w', wordsBefore('xvqzrk', 492))).toBe(true)
})

test('a password of 128 characters is judged by its beginning, in no more steps than a shorter one', () => {
  const beginning = '4@4@4@$$!!11'.repeat(2)
  expect(isGuessable(beginning.repeat(6).slice(0, 128), ABOUT)).toBe(isGuessable(beginning, ABOUT))
  expect(isGuessable('a'.repeat(128), ABOUT)).toBe(true)
})

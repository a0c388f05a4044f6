/** Which new passwords are guessed too soon. */
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

test('a password of 128 characters is judged by its beginning, in no more steps than a shorter one', () => {
  const beginning = '4@4@4@$$!!11'.repeat(2)
  expect(isGuessable(beginning.repeat(6).slice(0, 128), ABOUT)).toBe(isGuessable(beginning, ABOUT))
  expect(isGuessable('a'.repeat(128), ABOUT)).toBe(true)
})

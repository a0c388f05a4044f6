/** The steps that a course still lacks, for its staff. */
import { expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import {
  addMember,
  createPeople,
  FITTING_ENTRIES,
  problemForm,
  uniqueName,
  uploadZip,
} from '../support/world.ts'

test('a new course lacks everything until it is made; what is deleted is lacking again', async () => {
  const [teacher, ta, student] = await createPeople(1, 2, 2)
  const course = uniqueName('Course ')
  await teacher.post('/course', { course, teacher: teacher.username })
  const lacks = async (as = teacher) => (await as.get(`/course/${course}`)).data.lacks
  expect(await lacks()).toEqual(['members', 'problem', 'testData', 'homework', 'announcement'])
  await addMember({ course, teacher }, ta, 'ta')
  expect(await lacks()).toEqual(['problem', 'testData', 'homework', 'announcement'])
  const made = await teacher.post('/problem/manage', { course, ...problemForm() })
  const { problemId } = made.data
  expect(await lacks()).toEqual(['testData', 'homework', 'announcement'])
  await uploadZip(teacher, problemId, FITTING_ENTRIES)
  expect(await lacks(ta)).toEqual(['homework', 'announcement'])
  const start = nowSeconds()
  const homework = { courseName: course, name: 'H', start, end: start + 9, problemIds: [problemId] }
  await ta.post('/homework', homework)
  expect(await lacks()).toEqual(['announcement'])
  await ta.post('/ann', { courseName: course, title: 'Welcome', markdown: '' })
  expect(await lacks()).toEqual([])
  await teacher.delete(`/problem/manage/${problemId}`)
  expect(await lacks()).toEqual(['problem', 'testData'])
  await addMember({ course, teacher }, student)
  expect(await lacks(student)).toBeUndefined()
})

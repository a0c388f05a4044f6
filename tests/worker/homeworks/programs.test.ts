/** The programs that count in a homework, as a zip. */
import { expect, test, vi } from 'vitest'
import { firstValue, runSql } from '../support/sql.ts'
import { createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { download, handInScored, packAll } from '../support/archive.ts'
import { addStudents, fetchApi, type Person } from '../support/world.ts'

/** The folder of a person. */
const folderOf = ({ username }: Person) => `${username} The ${username}`

test('each student’s program that counts is in a folder of its own, beside the marks', async () => {
  const { student, ta, problemId, path, now, ...world } = await createDatedHomework()
  const [other, idle] = (await addStudents(world, 2)) as [Person, Person]
  await runSql`update users set displayed_name = '王/小明' where id = ${other.id}`
  await runSql`update users set displayed_name = '=1+1' where id = ${idle.id}`
  await handInScored(student, problemId, {
    code: '// first',
    language: 1,
    score: 20,
    at: now - 3 * HOUR,
  })
  await handInScored(student, problemId, {
    code: '// best',
    language: 1,
    score: 80,
    at: now - 2 * HOUR,
  })
  await handInScored(student, problemId, {
    code: '// worse',
    language: 1,
    score: 40,
    at: now - 2 * HOUR,
  })
  await handInScored(other, problemId, { score: 50, at: now - 2 * HOUR })
  await handInScored(ta, problemId, {
    code: '// staff',
    language: 1,
    score: 100,
    at: now - 2 * HOUR,
  })
  const { headers, files } = await download(ta, `${path}/programs`)
  expect(files).toEqual({
    'marks.csv': expect.any(String),
    [`${folderOf(student)}/1 A plus B.cpp`]: '// best',
    [`${other.username} 王_小明/1 A plus B.c`]: 'int main(){}',
  })
  expect(files['marks.csv']?.split('\r\n').toSorted()).toEqual(
    [
      '',
      `\u{feff}username,displayed name,${problemId} A plus B,whole homework,sum`,
      `${student.username},The ${student.username},80,,80`,
      `${other.username},王/小明,50,,50`,
      `${idle.username},"'=1+1",,,0`,
    ].toSorted(),
  )
  expect(headers.get('Content-Type')).toBe('application/zip')
  expect(headers.get('ETag')).toBe(null)
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename\*=UTF-8''Course%20/)
})

test('a mark that is kept keeps its program', async () => {
  const { student, teacher, problemId, path, now, homeworkId } = await createDatedHomework()
  await handInScored(student, problemId, { code: '// late', language: 1, score: 80, at: now })
  await runSql`insert into kept_marks (homework_id, user_id, problem_id, value)
    values (${homeworkId}, ${student.id}, ${problemId}, 9000)`
  const { files } = await download(teacher, `${path}/programs`)
  expect(files[`${folderOf(student)}/1 A plus B.cpp`]).toBe('// late')
  expect(files['marks.csv']).toContain(',90,,90')
})

test('only the students with a label, if one is named', async () => {
  const { student, ta, problemId, path, now, course, ...world } = await createDatedHomework()
  const [other] = (await addStudents({ ...world, course }, 1)) as [Person]
  await handInScored(student, problemId, { score: 50, at: now - 2 * HOUR })
  await handInScored(other, problemId, { score: 50, at: now - 2 * HOUR })
  await runSql`insert into labels (course_id, name) select id, 'Lab 1' from courses where name = ${course}`
  await runSql`insert into member_labels (course_id, user_id, label_id)
    select course_id, ${other.id}, id from labels where name = 'Lab 1'`
  const label = await firstValue<number>`select max(id) from labels`
  const { files } = await download(ta, `${path}/programs?label=${String(label)}`)
  expect(Object.keys(files)).toEqual(['marks.csv', `${folderOf(other)}/1 A plus B.c`])
  expect(files['marks.csv']).not.toContain(student.username)
})

test('old programs come from their packs, and those that the bucket has lost are named', async () => {
  const { student, ta, problemId, path, now, ...world } = await createDatedHomework()
  const [other] = (await addStudents(world, 1)) as [Person]
  await handInScored(student, problemId, {
    code: '// ü',
    language: 1,
    score: 80,
    at: now - 2 * HOUR,
  })
  const lost = await handInScored(other, problemId, {
    code: '// lost',
    language: 1,
    score: 80,
    at: now - 2 * HOUR,
  })
  await packAll()
  await runSql`update submissions set pack_id = -1 where id = ${lost}`
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const { files } = await download(ta, `${path}/programs`)
  expect(told.mock.calls.flat().join('')).toContain('pack lost')
  told.mockRestore()
  expect(files[`${folderOf(student)}/1 A plus B.cpp`]).toBe('// ü')
  expect(files['LOST.txt']).toBe(`${folderOf(other)}/1 A plus B.cpp\n`)
  expect(Object.keys(files)).toHaveLength(3)
})

test('students are refused', async () => {
  const { student, path } = await createDatedHomework()
  expect((await fetchApi('GET', `${path}/programs`, { as: student })).status).toBe(403)
})

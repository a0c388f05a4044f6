/** The first look of the problem form. */
import { useForm } from '@mantine/form'
import { expect, it } from 'vitest'
import { emptyProblem, type ProblemValues } from '../../web/features/problems/edit/form-values.ts'
import { SubtaskFields } from '../../web/features/problems/edit/subtask-fields.tsx'
import { newSubtask } from '../../web/features/problems/edit/subtask-values.ts'
import { render, textsOf } from './fixtures/rendered.tsx'

function Subtasks(values: Partial<ProblemValues>) {
  const form = useForm<ProblemValues>({ initialValues: { ...emptyProblem(), ...values } })
  return <SubtaskFields form={form} counted={false} />
}

const EIGHT = Array.from({ length: 8 }, () => newSubtask())

it.each([
  ['once where all subtasks share them', emptyProblem().limits, 1],
  ['for each subtask where they differ', null, 8],
] as const)('time and memory are typed %s', (_, limits, wanted) => {
  const texts = textsOf(render(<Subtasks subtasks={EIGHT} limits={limits} />))
  for (const label of ['Time limit (ms)', 'Memory limit (MB)'])
    expect(texts.filter((text) => text === label)).toHaveLength(wanted)
})

it('the scores of several subtasks stand in one row', () => {
  const scores = [33, 33, 34].map((score) => newSubtask(1, score))
  expect(render(<Subtasks subtasks={scores} />)).toContain('value="33 / 33 / 34"')
})

import { Box, Checkbox, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { totalOf, type Total, type TotalMark, type TotalPart } from '#contract/gradebook-total'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { Section } from '../../../components/page/section.tsx'
import { toNumberField, type NumberField } from '../../../lib/format/number-field.ts'
import { useNumberText } from '../../../lib/format/number-text.ts'
import { ruleOf, titleOf, type ColumnValues, type SettingsValues } from './settings-values.ts'

interface ExampleMark {
  points: NumberField
  isExcused: boolean
}

/** The percentages that the made-up student begins with, one column after another. */
const PERCENTAGES = [90, 60, 75, 100, 40]

/** The marks of the made-up student, by the keys of the columns. */
function useExampleMarks() {
  const [changed, setChanged] = useState<ReadonlyMap<string, ExampleMark>>(new Map())
  return {
    markOf: ({ key, max }: ColumnValues, index: number): ExampleMark =>
      changed.get(key) ?? {
        points: Math.round(Number(max) * (PERCENTAGES[index % PERCENTAGES.length] ?? 0)) / 100,
        isExcused: false,
      },
    change: (key: string, mark: ExampleMark) => setChanged(new Map(changed).set(key, mark)),
  }
}

/** The total of the made-up student; null while a number of the form is missing. */
function exampleTotal(values: SettingsValues, marks: readonly ExampleMark[]): Total | null {
  const whole = ruleOf(values)
  if (whole === null) return null
  const byId = marks.map(({ points, isExcused }, index): [number, TotalMark] => [
    index + 1,
    { hundredths: points === '' ? null : Math.round(points * 100), isExcused },
  ])
  return totalOf(whole.rule, whole.groups, whole.columns, new Map(byId))
}

/** What groups and total come to. */
function Sums({ values, total }: { values: SettingsValues; total: Total | null }) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  if (total === null) return t('gradebook.settings.example.missing')
  const ofPoints = (hundredths: number, max: number) =>
    t('marks.pointsOf', { points: points(hundredths / 100), most: points(max / 100) })
  const names = values.groups.map(({ name }, index) => titleOf('group', name, index, t))
  return (
    <>
      {names.map((name, index) => {
        const { share = 0, hundredths = 0 } = total.groups[index] ?? {}
        return (
          <Text key={values.groups[index]?.key} size="sm">
            {t('gradebook.settings.example.sum', { name, points: ofPoints(hundredths, share) })}
          </Text>
        )
      })}
      <Text fw={600}>
        {total.hundredths === null
          ? t('gradebook.settings.example.none')
          : t('gradebook.settings.example.sum', {
              name: t('marks.total'),
              points: ofPoints(total.hundredths, total.max),
            })}
      </Text>
    </>
  )
}

interface ExampleRow {
  column: ColumnValues
  title: string
  mark: ExampleMark
  part: TotalPart | undefined
}

interface MarkFieldProps {
  row: ExampleRow
  onChange: (mark: ExampleMark) => void
}

/** A mark of the made-up student. */
function MarkField({ row: { title, mark }, onChange }: MarkFieldProps) {
  const { t } = useTranslation()
  return (
    <NumberInput
      size="xs"
      maw={120}
      aria-label={t('gradebook.settings.example.points', { name: title })}
      min={0}
      max={GRADEBOOK_LIMITS.points}
      decimalScale={2}
      disabled={mark.isExcused}
      value={mark.points}
      onChange={(value) => onChange({ ...mark, points: toNumberField(value) })}
    />
  )
}

/** Whether the made-up student is excused from a column. */
function ExcusedField({ row: { title, mark }, onChange }: MarkFieldProps) {
  const { t } = useTranslation()
  return (
    <Checkbox
      size="xs"
      aria-label={t('gradebook.settings.example.excused', { name: title })}
      checked={mark.isExcused}
      onChange={({ currentTarget }) => onChange({ ...mark, isExcused: currentTarget.checked })}
    />
  )
}

/** A made-up student, whose marks one can change, with the total that the server would compute. */
export function Example({ values }: { values: SettingsValues }) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { markOf, change } = useExampleMarks()
  const marks = values.columns.map(markOf)
  const total = exampleTotal(values, marks)
  const rows = values.columns.map((column, index) => ({
    column,
    title: titleOf('column', column.name, index, t),
    mark: markOf(column, index),
    part: total?.parts.find(({ columnId }) => columnId === index + 1),
  }))
  const fieldOf = (Field: typeof MarkField) => (row: ExampleRow) => (
    <Field row={row} onChange={(mark) => change(row.column.key, mark)} />
  )
  const title = t('gradebook.settings.example.title')
  return (
    <Section title={title} help={t('gradebook.settings.example.help')}>
      <ListTable
        className="app-cards"
        label={title}
        rows={rows}
        keyOf={({ column }) => column.key}
        columns={[
          { head: t('marks.column'), isWide: true, renderCell: (row: ExampleRow) => row.title },
          { head: t('marks.points'), isLabelled: true, renderCell: fieldOf(MarkField) },
          { head: t('marks.excused'), isLabelled: true, renderCell: fieldOf(ExcusedField) },
          {
            head: t('marks.adds'),
            isLabelled: true,
            renderCell: ({ part }: ExampleRow) =>
              part &&
              t(`marks.part.${part.fate}`, {
                points: points(part.hundredths / 100),
                most: points(part.share / 100),
              }),
          },
        ]}
      />
      <Box component="output" display="block" mt="sm">
        <Sums values={values} total={total} />
      </Box>
    </Section>
  )
}

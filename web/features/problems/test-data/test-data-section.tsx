import { Alert, Button, Group, SegmentedControl, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormError } from '../../../components/forms/form-error.tsx'
import type { ProblemValues } from '../edit/form-values.ts'
import { OutputMaker } from './output-maker.tsx'
import { TestDataField } from './test-data-field.tsx'
import { OddFilesNotice } from './odd-files-notice.tsx'
import {
  beginTyping,
  endTyping,
  isEmptyCase,
  oddTyped,
  withCases,
  withPlainTexts,
  withSamples,
} from './typed-cases.ts'
import type { OnZip } from '../zip/use-picked-zip.ts'

interface TestDataSectionProps {
  form: UseFormReturnType<ProblemValues>
  /** Null for a problem that does not exist yet. */
  problemId: number | null
  hasTestData: boolean
  initial: ProblemValues
  onZip: OnZip
}

type TypingProps = Pick<TestDataSectionProps, 'form' | 'problemId' | 'hasTestData'>

/** Buttons that fill the text fields with the stored cases or the statement's samples. */
function TypingHelp({ form, problemId, hasTestData }: TypingProps) {
  const { t } = useTranslation()
  const samples = form.values.samples.filter((each) => !isEmptyCase(each))
  const take = useMutation({
    mutationFn: async (id: number) => {
      const { readStoredCases } = await import('./typed-cases-zip.ts')
      return readStoredCases(id)
    },
    onSuccess: (cases) => {
      if (cases !== null)
        form.setFieldValue('subtasks', withCases(form.getValues().subtasks, cases))
    },
  })
  return (
    <>
      <Text size="sm">{t('typedCases.help')}</Text>
      {hasTestData ? (
        <Text size="sm" c="dimmed">
          {t('typedCases.replaces')}
        </Text>
      ) : null}
      <Group>
        {hasTestData && problemId !== null ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={15} aria-hidden="true" />}
            loading={take.isPending}
            onClick={() => take.mutate(problemId)}
          >
            {t('typedCases.take')}
          </Button>
        ) : null}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCopy size={15} aria-hidden="true" />}
          disabled={samples.length === 0}
          onClick={() => form.setFieldValue('subtasks', withSamples(form.values.subtasks, samples))}
        >
          {t('typedCases.copySamples')}
        </Button>
      </Group>
      {form.values.compare.mode === 'interactor' ? null : (
        <OutputMaker form={form} problemId={problemId} />
      )}
      <OddFilesNotice
        files={oddTyped(form.values.subtasks)}
        onConvert={() => form.setFieldValue('subtasks', withPlainTexts(form.getValues().subtasks))}
      />
      {take.data === null ? <Alert color="yellow">{t('typedCases.noText')}</Alert> : null}
      <FormError error={take.error} />
    </>
  )
}

/** Where the test data come from: a zip, or the text fields of the subtasks. */
export function TestDataSection(props: TestDataSectionProps) {
  const { form, problemId, hasTestData, initial, onZip } = props
  const { t } = useTranslation()
  const { typesCases } = form.values

  function choose(typing: boolean) {
    onZip(null, null)
    const { subtasks } = form.getValues()
    form.setFieldValue('typesCases', typing)
    form.setFieldValue(
      'subtasks',
      typing
        ? beginTyping(subtasks)
        : endTyping(subtasks, hasTestData ? initial.subtasks : subtasks),
    )
  }

  return (
    <>
      <SegmentedControl
        w="fit-content"
        aria-label={t('typedCases.source')}
        value={typesCases ? 'typed' : 'zip'}
        onChange={(value) => choose(value === 'typed')}
        data={[
          { value: 'zip', label: t('typedCases.byZip') },
          { value: 'typed', label: t('typedCases.byTyping') },
        ]}
      />
      {typesCases ? (
        <TypingHelp form={form} problemId={problemId} hasTestData={hasTestData} />
      ) : (
        <TestDataField
          problemId={problemId}
          hasTestData={hasTestData}
          caseCounts={form.values.subtasks.map(({ caseCount }) => caseCount)}
          onZip={onZip}
        />
      )}
    </>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { IconDownload, IconFileZip } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldError } from '#contract/errors'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { download } from '../../lib/download.ts'
import { formatBytes } from '../../lib/format.ts'
import { FieldErrorList } from './field-error-list.tsx'
import type { NumberField } from './form-values.ts'
import classes from './problem-form.module.css'
import { checkZip } from './read-zip.ts'
import { findUnfinished, forgetUnfinished } from './unfinished-upload.ts'

/** The most bad entries listed; the rest is counted. */
const SHOWN_ERRORS = 50

interface TestDataFieldProps {
  /** Null for a problem that does not exist yet. */
  problemId: number | null
  hasTestData: boolean
  /** The numbers of cases in the form, for the example zip. */
  caseCounts: NumberField[]
  file: File | null
  /** `caseCounts` is null when there is no good zip. */
  onPick: (file: File | null, caseCounts: number[] | null) => void
}

/** Checks the entries of the picked zip, before anything is sent. */
function usePick({ problemId, onPick }: Pick<TestDataFieldProps, 'problemId' | 'onPick'>) {
  const { t } = useTranslation()
  const [errors, setErrors] = useState<FieldError[]>([])
  const [isReading, setIsReading] = useState(false)
  /** Share of the picked file that arrived before an interruption, 0–1. */
  const [arrived, setArrived] = useState(0)

  async function pick(picked: File | undefined) {
    if (picked === undefined) return
    setIsReading(true)
    const check = await checkZip(picked)
    const found = problemId === null ? null : await findUnfinished(problemId, picked)
    setArrived(found === null ? 0 : found.parts.length / found.urls.length)
    setIsReading(false)
    setErrors(check.errors)
    if (check.errors.length === 0) onPick(picked, check.caseCounts)
    else onPick(null, null)
  }

  function refuse() {
    setErrors([{ path: [], code: 'too_large', message: t('testData.tooLarge') }])
    onPick(null, null)
  }

  function startOver() {
    if (problemId !== null) forgetUnfinished(problemId)
    setArrived(0)
  }

  return { errors, isReading, arrived, pick, refuse, startOver }
}

function ExampleButton({ caseCounts }: Pick<TestDataFieldProps, 'caseCounts'>) {
  const { t } = useTranslation()

  async function downloadExample() {
    const { exampleZip } = await import('./example-zip.ts')
    download('test-data-example.zip', await exampleZip(caseCounts), 'application/zip')
  }

  return (
    <div>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={15} aria-hidden="true" />}
        onClick={() => void downloadExample()}
      >
        {t('testData.example')}
      </Button>
    </div>
  )
}

/** The drop zone of a test-data zip. */
export function TestDataField(props: TestDataFieldProps) {
  const { hasTestData, caseCounts, file, onPick } = props
  const { t } = useTranslation()
  const { errors, isReading, arrived, pick, refuse, startOver } = usePick(props)
  return (
    <>
      <Text size="sm">{t('testData.naming')}</Text>
      <ExampleButton caseCounts={caseCounts} />
      <Text size="sm" c="dimmed">
        {hasTestData ? t('testData.has') : t('testData.hasNot')}
      </Text>
      <Dropzone
        onDrop={(files) => void pick(files[0])}
        onReject={refuse}
        loading={isReading}
        multiple={false}
        maxSize={TEST_DATA_LIMITS.zipBytes}
        className={classes.drop}
        inputProps={{ 'aria-label': t('testData.zip') }}
        aria-label={t('testData.drop')}
      >
        <div className={classes.dropText}>
          <IconFileZip size={26} stroke={1.5} aria-hidden="true" />
          <span>
            {file === null
              ? t('testData.drop')
              : t('testData.picked', { name: file.name, size: formatBytes(file.size) })}
          </span>
        </div>
      </Dropzone>
      {file !== null && arrived > 0 ? (
        <Group component="output">
          <Text span size="sm">
            {t('testData.resume', { percent: Math.round(arrived * 100) })}
          </Text>
          <Button variant="default" size="compact-xs" onClick={startOver}>
            {t('testData.startOver')}
          </Button>
        </Group>
      ) : null}
      {file === null ? null : (
        <div>
          <Button variant="default" size="xs" onClick={() => onPick(null, null)}>
            {t('testData.forget')}
          </Button>
        </div>
      )}
      <FieldErrorList
        title={t('testData.bad')}
        // All are below the same field.
        errors={errors.map((error) => ({ ...error, path: error.path.slice(1) }))}
        most={SHOWN_ERRORS}
      />
    </>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconFileZip } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { FileDrop } from '../../../components/forms/file-drop.tsx'
import { download } from '../../../lib/files/download.ts'
import { formatBytes } from '../../../lib/format/format.ts'
import { FieldErrorList } from '../edit/field-error-list.tsx'
import type { NumberField } from '../../../lib/format/number-field.ts'
import { oddInCases } from '../zip/odd-files.ts'
import { usePickedZip, type OnZip } from '../zip/use-picked-zip.ts'
import { ZipCases } from '../zip/zip-cases.tsx'
import { OddFilesNotice } from './odd-files-notice.tsx'

interface TestDataFieldProps {
  /** Null for a problem that does not exist yet. */
  problemId: number | null
  hasTestData: boolean
  /** The numbers of cases in the form, for the example zip. */
  caseCounts: NumberField[]
  onZip: OnZip
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

/** The area on which a zip is dropped, or chosen by a click. */
function ZipDrop({ zip }: { zip: ReturnType<typeof usePickedZip> }) {
  const { t } = useTranslation()
  const { picked, errors } = zip
  return (
    <FileDrop
      label={t('testData.zip')}
      prompt={t('testData.drop')}
      maxSize={TEST_DATA_LIMITS.zipBytes}
      loading={zip.isReading}
      icon={<IconFileZip size={26} stroke={1.5} aria-hidden="true" />}
      onFile={(file) => void zip.pick(file)}
      onReject={() => zip.drop([{ path: [], code: 'too_large', message: t('testData.tooLarge') }])}
    >
      {picked === null || errors.length > 0
        ? t('testData.drop')
        : t('testData.picked', { name: picked.file.name, size: formatBytes(picked.file.size) })}
    </FileDrop>
  )
}

/** Chooses the test-data zip, and shows what is in it. */
export function TestDataField({ problemId, hasTestData, caseCounts, onZip }: TestDataFieldProps) {
  const { t } = useTranslation()
  const zip = usePickedZip(problemId, onZip)
  return (
    <>
      <Text size="sm">{t('testData.naming')}</Text>
      <ExampleButton caseCounts={caseCounts} />
      <Text size="sm" c="dimmed">
        {hasTestData ? t('testData.has') : t('testData.hasNot')}
      </Text>
      <ZipDrop zip={zip} />
      {zip.picked !== null && zip.arrived > 0 ? (
        <Group component="output">
          <Text span size="sm">
            {t('testData.resume', { percent: Math.round(zip.arrived * 100) })}
          </Text>
          <Button variant="default" size="compact-xs" onClick={zip.startOver}>
            {t('testData.startOver')}
          </Button>
        </Group>
      ) : null}
      <FieldErrorList
        title={t('testData.bad')}
        // Cuts off the field's name, which is the same for all errors.
        errors={zip.errors.map((error) => ({ ...error, path: error.path.slice(1) }))}
      />
      {zip.picked === null ? null : (
        <>
          <OddFilesNotice
            files={[...oddInCases(zip.picked.odd, zip.picked.mapping)].map(
              ([{ name }, oddities]) => ({ name, oddities }),
            )}
            isConverting={zip.isReading}
            onConvert={() => void zip.convert()}
          />
          <ZipCases {...zip.picked} onCorrect={zip.correct} />
          <div>
            <Button variant="default" size="xs" onClick={() => zip.drop()}>
              {t('testData.forget')}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

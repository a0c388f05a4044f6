import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { verdict } from '#contract/verdicts'
import { refresh } from '../../lib/api/query-client.ts'
import { operationQuery, useKnownOperation } from '../../lib/queries/operations.ts'
import { startRejudge } from '../../lib/queries/rejudges.ts'
import { Dialog } from '../overlays/dialog.tsx'
import { ErrorBox } from '../feedback/error-box.tsx'

/** Submissions with any final verdict can be judged again. */
const VERDICTS = [...verdict.values]

/** What is judged again. */
interface RejudgeAllProps {
  /** Name of the problem or homework in the dialog. */
  name: string
  /** Path of the call POST …/rejudge. The path also identifies the operation. */
  path: string
  /** Whether the button looks less important than buttons that are used more often. */
  isQuiet?: boolean
}

/** The dialog's form: which verdicts are judged again, and when the results count. */
function RejudgeForm({ name, path, onClose }: RejudgeAllProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const [verdicts, setVerdicts] = useState<string[]>([])
  const [isByHand, setIsByHand] = useState(false)
  const { know } = useKnownOperation(path)
  const start = useMutation({
    mutationFn: () =>
      startRejudge(path, {
        ...(verdicts.length > 0 && { status: verdict.array().parse(verdicts.map(Number)) }),
        ...(isByHand && { apply: false }),
      }),
    onSuccess: (started) => {
      know(started.jobId)
      onClose()
      void refresh(['problem'])
    },
  })
  return (
    <Stack>
      <Text size="sm">{t('rejudge.text', { name })}</Text>
      <Checkbox.Group
        label={t('rejudge.which')}
        description={t('rejudge.whichHelp')}
        value={verdicts}
        onChange={setVerdicts}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {VERDICTS.map((code) => (
            <Checkbox key={code} value={`${code}`} label={t(`verdict.name.${code}`)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Checkbox
        label={t('rejudge.byHand')}
        description={t('rejudge.byHandHelp')}
        checked={isByHand}
        onChange={(event) => setIsByHand(event.currentTarget.checked)}
      />
      <ErrorBox of={start} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button loading={start.isPending} onClick={() => start.mutate()}>
          {t('rejudge.start')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The button of the bulk rejudge of a problem or homework, and its dialog. */
export function RejudgeAll({ name, path, isQuiet = false }: RejudgeAllProps) {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  const { operationId } = useKnownOperation(path)
  const operation = useQuery({
    ...operationQuery(operationId ?? ''),
    enabled: operationId !== null,
  })
  return (
    <>
      <Button
        variant={isQuiet ? 'subtle' : 'default'}
        leftSection={<IconRefresh size={16} aria-hidden="true" />}
        disabled={operationId !== null && operation.data?.state === 'running'}
        onClick={dialog.open}
      >
        {t('rejudge.button')}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t('rejudge.title')}>
        <RejudgeForm name={name} path={path} onClose={dialog.close} />
      </Dialog>
    </>
  )
}

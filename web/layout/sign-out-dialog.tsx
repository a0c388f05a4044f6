import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Dialog } from '../components/overlays/dialog.tsx'
import { problemQuery } from '../lib/queries/problems.ts'
import type { UnsubmittedCode } from '../lib/drafts/unsubmitted.ts'
import { paths } from '../paths.ts'

/** One program, with a link to the page that submits it. */
function Code({ problemId, language, code, onClose }: UnsubmittedCode & { onClose: () => void }) {
  const { t } = useTranslation()
  const { data: problem } = useQuery(problemQuery(problemId))
  return (
    <List.Item>
      {problem ? (
        <Anchor
          component={Link}
          to={paths.submit(problem.course, problemId)}
          onClick={onClose}
          inherit
          underline="always"
        >
          #{problemId} {problem.problemName}
        </Anchor>
      ) : (
        `#${problemId}`
      )}
      {' · '}
      {language === null ? null : `${language.label} · `}
      {t('signOut.lines', { count: code.trimEnd().split('\n').length })}
    </List.Item>
  )
}

interface SignOutDialogProps {
  codes: UnsubmittedCode[]
  onClose: () => void
  onSignOut: () => void
}

/** Says which code would be lost, and waits for a choice. */
export function SignOutDialog({ codes, onClose, onSignOut }: SignOutDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened onClose={onClose} title={t('signOut.title')}>
      <Stack>
        <Text size="sm">{t('signOut.text')}</Text>
        <List size="sm">
          {codes.map((code, index) => (
            <Code key={index} {...code} onClose={onClose} />
          ))}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('signOut.stay')}
          </Button>
          <Button color="red.9" onClick={onSignOut}>
            {t('signOut.delete')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

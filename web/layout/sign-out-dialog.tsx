import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { Dialog } from '../components/dialog.tsx'
import { problemQuery } from '../lib/problems.ts'
import type { UnsubmittedCode } from '../lib/unsubmitted.ts'
import { paths } from '../paths.ts'
import { codeAtStake } from './code-at-stake.ts'
import { SIGN_OUT } from './use-sign-out-on-arrival.ts'

function close() {
  codeAtStake.set(null)
}

/** One program, with the way to the page that submits it. */
function Code({ problemId, language, code }: UnsubmittedCode) {
  const { t } = useTranslation()
  const { data: problem } = useQuery(problemQuery(problemId))
  return (
    <List.Item>
      {problem ? (
        <Anchor
          component={Link}
          to={paths.submit(problem.course, problemId)}
          onClick={close}
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

/** Says which code would be lost, and waits for a choice. */
export function SignOutDialog({ codes }: { codes: UnsubmittedCode[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()

  function signOut() {
    close()
    void navigate(paths.home(), { state: SIGN_OUT })
  }

  return (
    <Dialog opened onClose={close} title={t('signOut.title')}>
      <Stack>
        <Text size="sm">{t('signOut.text')}</Text>
        <List size="sm">
          {codes.map((code, index) => (
            <Code key={index} {...code} />
          ))}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t('signOut.stay')}
          </Button>
          <Button color="red.9" onClick={signOut}>
            {t('signOut.delete')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

import { Alert, Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { Page } from '../../components/page/page.tsx'
import {
  forgetMailedLink,
  linkOfHash,
  currentMailedLink,
  type MailedLink,
} from '../../lib/session/mailed-link.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { LinkForm } from './link-form.tsx'
import { RequestForm } from './request-form.tsx'

/** The link the page was opened with, or that was pasted into the address later. */
function useMailedLink() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [link, setLink] = useState(currentMailedLink)
  const pasted = linkOfHash(hash)
  if (pasted !== null && pasted.token !== link?.token) setLink(pasted)
  useEffect(() => {
    if (hash !== '') void navigate(paths.passwordReset(), { replace: true })
  }, [hash, navigate])
  useEffect(() => forgetMailedLink, [])
  return { link, forget: () => setLink(null) }
}

const TITLES = {
  token: 'passwordReset.title',
  activate: 'passwordReset.activateTitle',
  confirm: 'passwordReset.confirmTitle',
  move: 'passwordReset.moveTitle',
} as const

/** `/password_reset`: asks for a mailed link, and uses it. */
export function PasswordResetPage() {
  const { t } = useTranslation()
  const { state } = useSession()
  const { link, forget } = useMailedLink()
  const [used, setUsed] = useState<{ link: MailedLink; keptPassword: boolean } | null>(null)
  return (
    <Page title={t(TITLES[link?.purpose ?? 'token'])}>
      {link === null ? <RequestForm /> : null}
      {link !== null && used?.link !== link ? (
        <LinkForm
          key={link.token}
          link={link}
          onAskAgain={forget}
          onDone={(keptPassword) => setUsed({ link, keptPassword })}
        />
      ) : null}
      {link !== null && used?.link === link ? (
        <Alert
          color="green"
          icon={<IconCircleCheck />}
          title={t(used.keptPassword ? 'join.confirmed' : `passwordReset.done.${link.purpose}`)}
          maw={560}
        >
          <Button component={Link} to={paths.home()} size="sm">
            {t(state === 1 ? 'notFound.back' : 'signIn.button')}
          </Button>
        </Alert>
      ) : null}
    </Page>
  )
}

import { Button } from '@mantine/core'
import { IconCompassOff, type Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../components/feedback/empty-state.tsx'
import { Page } from '../components/page/page.tsx'
import { paths } from '../paths.ts'

/** A page that only shows a reason, with a link back. */
export function WayBackPage(props: { title: string; Icon: Icon; text: string }) {
  const { t } = useTranslation()
  const back = (
    <Button component={Link} to={paths.home()}>
      {t('notFound.back')}
    </Button>
  )
  return (
    <Page title={props.title}>
      <EmptyState Icon={props.Icon} text={props.text} action={back} />
    </Page>
  )
}

/** The 404 inside the app. */
export function NotFoundPage() {
  const { t } = useTranslation()
  return <WayBackPage title={t('notFound.title')} Icon={IconCompassOff} text={t('notFound.text')} />
}

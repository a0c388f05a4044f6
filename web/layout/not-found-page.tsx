import { Button } from '@mantine/core'
import { IconCompassOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { paths } from '../paths.ts'

/** The 404 inside the app, with a way back. */
export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')}>
      <EmptyState
        Icon={IconCompassOff}
        text={t('notFound.text')}
        action={
          <Button component={Link} to={paths.home()}>
            {t('notFound.back')}
          </Button>
        }
      />
    </Page>
  )
}

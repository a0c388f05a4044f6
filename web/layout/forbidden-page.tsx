import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { paths } from '../paths.ts'

/** A page that the user may not see. */
export function ForbiddenPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('forbidden.title')}>
      <EmptyState
        Icon={IconLock}
        text={t('error.forbidden')}
        action={
          <Button component={Link} to={paths.home()}>
            {t('notFound.back')}
          </Button>
        }
      />
    </Page>
  )
}

import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PRODUCT_NAME } from '#contract/product'
import classes from './page.module.css'

export interface Crumb {
  label: string
  to: string
}

interface PageProps {
  /** The heading, and the first part of the document title. */
  title: string
  /** Shown as the heading instead of the bare title. */
  heading?: ReactNode
  crumbs?: Crumb[]
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Whether the page is as large as the screen, and its parts scroll for themselves. */
  fills?: boolean
  children: ReactNode
}

/** The frame of every page: document title, breadcrumb, heading, buttons. */
export function Page({ title, heading, crumbs = [], actions, fills, children }: PageProps) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = `${title} · ${PRODUCT_NAME}`
  }, [title])
  return (
    <>
      {crumbs.length > 0 ? (
        <nav
          aria-label={t('common.breadcrumb')}
          className={classes.crumbs}
          data-fills={fills || undefined}
        >
          <Breadcrumbs separatorMargin={6} fz="sm">
            {crumbs.map((crumb) => (
              <Anchor key={crumb.to} component={Link} to={crumb.to} className={classes.crumb}>
                {crumb.label}
              </Anchor>
            ))}
            <Text span fz="sm" c="dimmed" aria-current="page" className={classes.crumb}>
              {title}
            </Text>
          </Breadcrumbs>
        </nav>
      ) : null}
      <Group justify="space-between" gap="10px 20px" mb={fills ? 8 : 20}>
        <Title order={1} {...(fills && { size: 'h4', lineClamp: 1 })}>
          {heading ?? title}
        </Title>
        {actions ? (
          <Group className="app-screen-only" align="stretch" gap={8}>
            {actions}
          </Group>
        ) : null}
      </Group>
      {children}
    </>
  )
}

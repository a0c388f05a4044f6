import { Alert, Code, List } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldError } from '#contract/errors'
import { useFieldText } from '../../../lib/api/field-text.ts'

/** For one cause, at most this many fields or files are named; the rest is counted. */
const SHOWN_PATHS = 10

interface FieldErrorListProps {
  title?: string
  errors: FieldError[]
}

/** Refused fields of the form, or entries of a zip: each cause once, with its fields or entries. */
export function FieldErrorList({ title, errors }: FieldErrorListProps) {
  const { t } = useTranslation()
  const fieldText = useFieldText()
  if (errors.length === 0) return null
  const causes = Map.groupBy(errors, fieldText)
  return (
    <Alert color="red" title={title}>
      <List size="sm">
        {[...causes].map(([cause, concerned]) => {
          const paths = concerned.map(({ path }) => path.join('/')).filter((path) => path !== '')
          return (
            <List.Item key={cause}>
              {cause}{' '}
              {paths.slice(0, SHOWN_PATHS).map((path, index) => (
                // A zip may hold a name twice.
                <Fragment key={index}>
                  <Code>{path}</Code>{' '}
                </Fragment>
              ))}
              {paths.length > SHOWN_PATHS
                ? t('testData.more', { count: paths.length - SHOWN_PATHS })
                : ''}
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}

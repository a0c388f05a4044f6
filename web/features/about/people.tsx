import { Anchor, List, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Maintainers or contributors, if any are named. */
export function People({ kind }: { kind: keyof typeof __AUTHORS__ }) {
  const { t } = useTranslation()
  const people = __AUTHORS__[kind]
  if (people.length === 0) return null
  return (
    <section>
      <Title order={2} mb="xs">
        {t(`about.${kind}`)}
      </Title>
      <List size="sm" spacing="xs">
        {people.map(({ name, link }) => (
          <List.Item key={name}>
            {link === null ? (
              name
            ) : (
              <Anchor href={link} rel="noopener" inherit underline="always">
                {name}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </section>
  )
}

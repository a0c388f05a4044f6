/** The elements of Markdown that pages of `docs/` show differently. */
import type { Components } from 'hast-util-to-jsx-runtime'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import classes from './guide.module.css'

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** A heading that scrolls into view when the address ends in its anchor. */
function Heading({ as: Tag, children }: { as: 'h2' | 'h3'; children: ReactNode }) {
  const element = useRef<HTMLHeadingElement>(null)
  const location = useLocation()
  useEffect(() => {
    const { current } = element
    if (current && location.hash === `#${anchorOf(current.textContent)}`) current.scrollIntoView()
  }, [location])
  return (
    <Tag ref={element} className={classes.heading}>
      {children}
    </Tag>
  )
}

/** A link to another page of `docs/` stays in the app; a link to another file of the repository is text. */
function GuideLink({ href = '', children }: { href?: string | undefined; children: ReactNode }) {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name !== undefined) return <Link to={`${paths.help(name)}${anchor}`}>{children}</Link>
  if (href.startsWith('#')) return <Link to={href}>{children}</Link>
  return /^https?:/.test(href) ? <a href={href}>{children}</a> : children
}

export const GUIDE_PARTS: Components = {
  a: ({ href, children }) => <GuideLink href={href}>{children}</GuideLink>,
  h2: ({ children }) => <Heading as="h2">{children}</Heading>,
  h3: ({ children }) => <Heading as="h3">{children}</Heading>,
  // Images are left out, because they show the app itself.
  img: () => null,
}

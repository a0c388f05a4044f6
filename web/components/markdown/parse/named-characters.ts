/**
 * What `&copy;` and the like stand for: micromark asks here instead of `decode-named-character-reference`. The table is a
 * third of what reads Markdown, so only texts that may hold some load it.
 */
let characters: Readonly<Record<string, string>> = {}

export async function loadNamedCharacters(): Promise<void> {
  ;({ characterEntities: characters } = await import('character-entities'))
}

/** @param name `copy`; false: there is no such one */
export function decodeNamedCharacterReference(name: string): string | false {
  return Object.hasOwn(characters, name) && (characters[name] ?? false)
}

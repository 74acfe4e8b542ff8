// The address as a link: what it asks for, and what others are given.

// Parameters that mail programs and social sites add to links; they are ignored.
const foreignParameter = /^(utm_|fbclid$|gclid$|ref$)/;

// The language first: what is wrong with the others is said in it. Then what decides which settings there are.
const first = ["language", "task", "preset"];

// [name, value] of each, in the order in which they are to be applied.
export function linkParameters(search) {
  const rank = ([name]) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...new URLSearchParams(search)]
    .filter(([name]) => !foreignParameter.test(name))
    .sort((a, b) => rank(a) - rank(b))
    .map(([name, value]) => [name, name === "embed" && value === "" ? "true" : value]);
}

// What an embedded page shows, with everything around it.
export function openFullPage(query) {
  const parameters = new URLSearchParams(query);
  parameters.delete("embed");
  parameters.delete("caption");
  open(`${location.origin}${location.pathname}?${parameters}`, "_blank", "noopener");
}

// Whether it is in the clipboard.
export async function copyLink(query) {
  const link = location.origin + location.pathname + (query ? `?${query}` : "");
  const worked = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  );
  return Boolean(worked);
}

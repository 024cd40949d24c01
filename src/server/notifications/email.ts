/** E-mail over the SMTP server of the operator. */
import { createTransport } from 'nodemailer';

/** A day of the picture of a digest. Amounts are exact text. */
export interface DigestDay {
  day: string;
  purchases: string;
  redeems: string;
}
export interface Email {
  to: string;
  title: string;
  detail: string;
  days?: DigestDay[] | undefined;
  link?: string | undefined;
  /** What the link does. */
  linkText?: string;
  /** The same for each try, so that a mail server can drop a second copy. */
  id: string;
}
/** Sends one, or throws. */
export type SendEmail = (email: Email) => Promise<void>;

const TIMEOUT_MS = 15_000;

/** `from` is the sender that people see. */
export function createMailer(smtpUrl: string, from: string): SendEmail {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return async (email) => {
    const { to, title: subject, id } = email;
    const content = { text: toText(email), html: toHtml(email) };
    await transport.sendMail({ from, to, subject, ...content, messageId: `<${id}@${host}>` });
  };
}

export const usd = (amount: number | string): string =>
  Number(amount).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter);

/** Colours that colour-blind people tell apart. */
const BLUE = '#0072b2',
  ORANGE = '#d55e00';
const LENGTH = 260;

const toText = ({ title, detail, days, link }: Email): string =>
  [title, detail, days?.map(dayAsText).join('\n'), link].filter(Boolean).join('\n\n');

const dayAsText = ({ day, purchases, redeems }: DigestDay) =>
  `${day}  purchases ${usd(purchases)}  redeems ${usd(redeems)}`;

/** Title and lines, with a picture of the days as bars: a table, because mail programs show no other drawing. */
function toHtml({ title, detail, days, link, linkText = 'Open in the back-office' }: Email): string {
  const lines = detail
    .split('\n')
    .filter(Boolean)
    .map((line) => `<p style="margin:4px 0">${escapeHtml(line)}</p>`);
  return [
    '<!doctype html><html lang="en"><body style="font-family:Arial,sans-serif;font-size:15px;color:#1b1b1b">',
    `<h1 style="font-size:18px">${escapeHtml(title)}</h1>`,
    ...lines,
    ...(days?.length ? [toBars(days)] : []),
    ...(link ? [`<p style="margin-top:16px"><a href="${escapeHtml(link)}">${escapeHtml(linkText)}</a></p>`] : []),
    '</body></html>',
  ].join('\n');
}

function toBars(days: readonly DigestDay[]): string {
  const most = Math.max(1, ...days.flatMap(({ purchases, redeems }) => [Number(purchases), Number(redeems)]));
  const bar = (amount: string, colour: string, what: string) => {
    const width = Math.round((Number(amount) / most) * LENGTH);
    const drawn =
      width > 0
        ? `<td width="${width}" height="11" bgcolor="${colour}" style="font-size:1px;line-height:11px">&nbsp;</td>`
        : '';
    const words = `${what} ${usd(amount)}`;
    return (
      '<table cellpadding="0" cellspacing="0" border="0" role="presentation"><tr>' +
      `${drawn}<td style="font-size:12px;padding-left:6px;white-space:nowrap">${words}</td></tr></table>`
    );
  };
  const rows = days.map(
    ({ day, purchases, redeems }) =>
      `<tr><th align="left" style="font-size:12px;font-weight:normal;padding:4px 12px 4px 0">${escapeHtml(day)}</th>` +
      `<td style="padding:4px 0">${bar(purchases, BLUE, 'bought')}${bar(redeems, ORANGE, 'redeemed')}</td></tr>`,
  );
  return [
    '<table cellpadding="0" cellspacing="0" border="0" style="margin-top:16px">',
    '<caption align="left" style="text-align:left;font-size:13px;padding-bottom:6px">',
    'Purchases and redeems of the last seven days, in USD</caption>',
    ...rows,
    '</table>',
  ].join('\n');
}

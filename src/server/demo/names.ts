import type { Random } from './random';

/** A name as it is written, and in plain letters for an e-mail address. */
export interface Name {
  first: string;
  last: string;
  latinFirst: string;
  latinLast: string;
}

// How common, first names, last names. After a colon are the plain letters of a name, where they differ in more than
// capitals.
const pools: readonly (readonly [weight: number, firsts: string, lasts: string])[] = [
  [
    38,
    `
      James Mary Robert Linda Michael Patricia David Barbara Daniel Jessica Tyler Ashley Marcus Destiny Brandon Kayla
      Darnell Tamika Kevin Crystal Shawn Megan Travis Nicole Derek Heather Jamal Brittany Wayne Tiffany`,
    `
      Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin Lee Thompson
      White Harris Clark Lewis Robinson Walker Young King Wright O'Brien:obrien Hill Baker Carter Mitchell McKenzie`,
  ],
  [
    22,
    `
      José:jose María:maria Élodie:elodie François:francois Zoë:zoe Jürgen:juergen Björn:bjorn Åsa:asa
      Søren:soeren Łukasz:lukasz Małgorzata:malgorzata Václav:vaclav Šárka:sarka Ngọc:ngoc Thảo:thao
      İbrahim:ibrahim Gülşen:gulsen João:joao Conceição:conceicao Ágnes:agnes Ștefan:stefan Þóra:thora`,
    `
      García:garcia Muñoz:munoz Núñez:nunez Peña:pena Lefèvre:lefevre Müller:mueller Weiß:weiss
      Ångström:angstrom Ødegård:odegard Wiśniewski:wisniewski Żółć:zolc Novák:novak Černý:cerny
      Nguyễn:nguyen Trần:tran Yılmaz:yilmaz Çelik:celik Gonçalves:goncalves Nagy Ionescu D'Angelo:dangelo
      Sigurðardóttir:sigurdardottir`,
  ],
  [
    7,
    `
      Елена:elena Дмитрий:dmitry Наталья:natalya Сергей:sergey Оксана:oksana
      Юрий:yuri Ярослав:yaroslav Світлана:svitlana`,
    `
      Шевченко:shevchenko Ковальчук:kovalchuk Щербак:shcherbak Мельник:melnik
      Черных:chernykh Ђорђевић:djordjevic`,
  ],
  [
    4,
    `
      Γιώργος:giorgos Ελένη:eleni Νίκος:nikos Κατερίνα:katerina Δημήτρης:dimitris`,
    `
      Παπαγεωργίου:papageorgiou Οικονόμου:oikonomou Γεωργίου:georgiou
      Δημητρίου:dimitriou Ιωάννου:ioannou`,
  ],
  [
    4,
    'محمد:mohammed فاطمة:fatima أحمد:ahmed ليلى:layla يوسف:youssef نور:nour',
    'الحسن:alhassan خليل:khalil المصري:almasri حداد:haddad منصور:mansour',
  ],
  [3, 'דוד:david נועה:noa יוסף:yosef תמר:tamar איתי:itai', 'כהן:cohen לוי:levi מזרחי:mizrahi פרידמן:friedman'],
  [
    6,
    '伟:wei 芳:fang 秀英:xiuying 娜:na 强:qiang 小龙:xiaolong 雨婷:yuting',
    '王:wang 李:li 张:zhang 刘:liu 陳:chen 黃:huang 欧阳:ouyang',
  ],
  [
    4,
    '陽翔:haruto さくら:sakura 健太:kenta ユミ:yumi 直樹:naoki',
    '佐藤:sato 鈴木:suzuki 高橋:takahashi 渡邊:watanabe 小林:kobayashi',
  ],
  [5, '민준:minjun 서연:seoyeon 지훈:jihoon 하은:haeun 도현:dohyun', '김:kim 이:lee 박:park 최:choi 정:jung'],
  [3, 'สมชาย:somchai สุดา:suda นภา:napa ธนากร:thanakorn', 'ใจดี:jaidee ศรีสุข:srisuk วงศ์ไทย:wongthai ทองคำ:thongkham'],
  [
    4,
    `
      राहुल:rahul प्रिया:priya अमित:amit सुनीता:sunita दीपक:deepak`,
    `
      शर्मा:sharma पटेल:patel सिंह:singh गुप्ता:gupta
      क्षत्रिय:kshatriya`,
  ],
];

const entries = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = '', latin = name.toLowerCase()] = entry.split(':');
      return { name, latin };
    });
const weights = pools.map(
  ([weight, firsts, lasts]) => [{ firsts: entries(firsts), lasts: entries(lasts) }, weight] as const,
);

/** A first and a last name of the same script, the more common scripts more often. */
export function pickName(random: Random): Name {
  const { firsts, lasts } = random.weighted(weights);
  const first = random.pick(firsts);
  const last = random.pick(lasts);
  return { first: first.name, last: last.name, latinFirst: first.latin, latinLast: last.latin };
}

import type { Text } from '@farlink/contract/kit/text.ts';
import type { BlockKind } from '@farlink/portal/document.ts';
import { texts } from '@farlink/portal/texts.ts';

/** Names of the blocks for operators. */
export const blockNames: Readonly<Record<BlockKind, Text>> = {
  header: ['页头', 'Header'],
  banners: ['轮播图', 'Banners'],
  welcome: ['欢迎语', 'Welcome text'],
  login: ['登录', 'Login'],
  quota: ['剩余用量', 'Remaining quota'],
  card: ['充值卡', 'Recharge card'],
  packages: ['套餐购买', 'Packages'],
  notices: ['公告', 'Notices'],
  adverts: ['广告', 'Adverts'],
  agreement: ['用户协议', 'User agreement'],
  contact: ['联系方式', 'Contact'],
  feedback: ['问题反馈', 'Feedback'],
  footer: ['页脚', 'Footer'],
  fragment: ['模板片段', 'Template fragment'],
};

/** What a subscriber sees; shown to operators in the menu of new blocks. */
export const blockHints: Readonly<Record<BlockKind, Text>> = {
  header: ['Logo、名称和语言切换，固定在页面顶部', 'Logo, name and language switch, always at the top'],
  banners: ['可滑动的图片，最多5张', 'Images to swipe through, at most 5'],
  welcome: ['一段较大的文字', 'A text in large letters'],
  login: ['未登录时为登录表单，登录后显示账号和下线按钮', 'The login form; after the login the account and a log-out button'],
  quota: ['登录后显示剩余流量、时长和有效期', 'After the login: data and time left, and until when'],
  card: ['用卡号和卡密上网或充值', 'Use or redeem a card by number and password'],
  packages: ['套餐和价格，登录后可购买', 'Packages with prices, for sale after the login'],
  notices: ['发给用户的公告', 'Notices to subscribers'],
  adverts: ['带链接的图片，最多6张', 'Images with links, at most 6'],
  agreement: ['协议的链接，全文在单独页面显示', 'A link to the agreement, which has its own page'],
  contact: ['说明、电话和邮箱', 'A text, phone and email'],
  feedback: ['问题反馈页面的链接', 'A link to the feedback page'],
  footer: ['页面底部的小字', 'Small text at the bottom'],
  fragment: ['模板包自带的内容', 'Content of the template package'],
};

/** Headings that the renderer shows unless the author writes one. */
export const usualHeadings: Partial<Record<BlockKind, Text>> = {
  quota: texts.quota,
  card: texts.card,
  packages: texts.packages,
  notices: texts.notices,
  contact: texts.contact,
};

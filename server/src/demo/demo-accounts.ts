/** People and fleets of the demo data. All are invented; any likeness to a real operator is chance. */
export interface DemoVno {
  readonly username: string;
  readonly name: string;
  readonly contacts: string;
  readonly mode: 1 | 2 | 3 | 4;
  readonly children?: readonly DemoVno[];
  readonly ships: readonly string[];
  readonly introduction: string;
}

export const demoAccounts: readonly DemoVno[] = [
  {
    username: 'bluesea',
    name: '蓝海卫通 BlueSea Satcom',
    contacts: '周海宁',
    mode: 3,
    introduction: '服务于东南亚航线的商船与科考船 / Merchant and research vessels on South-East Asian routes',
    ships: ['蓝海之星 BlueSea Star', '蓝海先锋 BlueSea Pioneer', '蓝海远航 BlueSea Voyager'],
    children: [
      {
        username: 'eastsea',
        name: '东海商船 East Sea Merchant',
        contacts: '林致远',
        mode: 1,
        introduction: '近洋集装箱船队 / Short-sea container fleet',
        ships: ['东海一号 East Sea 1', '东海二号 East Sea 2', '东海七号 East Sea 7', '东海九号 East Sea 9'],
      },
      {
        username: 'southlab',
        name: '南海科考 South Sea Research',
        contacts: '陈思源',
        mode: 3,
        introduction: '海洋科学考察 / Oceanographic research',
        ships: ['探索者 Explorer', '深蓝 Deep Blue'],
        children: [
          {
            username: 'fleet2',
            name: '科考二队 Research Fleet Two',
            contacts: '沈知行',
            mode: 1,
            introduction: '极地与深海任务 / Polar and deep-sea missions',
            ships: ['雪域 Snowfield', '海沟 Trench'],
          },
        ],
      },
      {
        username: 'cruise',
        name: '蓝海邮轮 BlueSea Cruise',
        contacts: '宋雨桐',
        mode: 4,
        introduction: '近海邮轮旅客上网 / Passenger internet on coastal cruises',
        ships: ['云帆号 Cloud Sail', '晨曦号 Dawn'],
      },
    ],
  },
  {
    username: 'northfish',
    name: '北洋渔联 Northern Fishery Link',
    contacts: '郑国栋',
    mode: 1,
    introduction: '远洋渔船通信与船员上网 / Ocean fishing vessels and crew internet',
    ships: ['北渔 101 Northfish 101', '北渔 102 Northfish 102', '北渔 205 Northfish 205'],
    children: [
      {
        username: 'zhouyu',
        name: '舟渔远洋 Zhouyu Ocean Fishery',
        contacts: '王建波',
        mode: 1,
        introduction: '西太平洋鱿钓船队 / Western Pacific squid fleet',
        ships: ['舟渔 8 Zhouyu 8', '舟渔 19 Zhouyu 19', '舟渔 26 Zhouyu 26'],
        children: [
          {
            username: 'zhouyu1',
            name: '舟渔一队 Zhouyu Team One',
            contacts: '何晓峰',
            mode: 1,
            introduction: '公海作业一队 / High-seas team one',
            ships: ['舟渔 31 Zhouyu 31'],
          },
        ],
      },
    ],
  },
  {
    username: 'highland',
    name: '远山通信 Highland Remote',
    contacts: '格桑卓玛',
    mode: 2,
    introduction: '高原与边远站点宽带 / Broadband for plateau and remote sites',
    ships: ['纳木错站 Namtso Site', '可可西里站 Hoh Xil Site', '阿里站 Ngari Site', '墨脱站 Medog Site'],
  },
  {
    username: 'silkroad',
    name: '丝路航运 Silkroad Shipping Net',
    contacts: '马俊杰',
    mode: 4,
    introduction: '欧亚航线船舶通信 / Vessel communication on Eurasian routes',
    ships: ['丝路明珠 Silkroad Pearl', '丝路曙光 Silkroad Dawn'],
    children: [
      {
        username: 'indian',
        name: '印度洋航线 Indian Ocean Line',
        contacts: '徐嘉诚',
        mode: 3,
        introduction: '印度洋干线 / Indian Ocean trunk line',
        ships: ['季风 Monsoon', '珊瑚 Coral', '信风 Trade Wind'],
        children: [
          {
            username: 'gulf',
            name: '海湾支线 Gulf Feeder',
            contacts: '吴天佑',
            mode: 1,
            introduction: '海湾支线集装箱船 / Gulf feeder container ships',
            ships: ['沙丘 Dune', '绿洲 Oasis'],
          },
        ],
      },
    ],
  },
];

export const staffNames = [
  '李文静',
  '张伟',
  '刘洋',
  '黄丽',
  '赵磊',
  '孙悦',
  '朱敏',
  '胡斌',
  '郭芳',
  '罗宇',
  '梁晨',
  '谢婷',
  '韩冰',
  '唐亮',
  '冯雪',
  '于涛',
  '董洁',
  '萧然',
  '程远',
  '曹颖',
  'Alex Wong',
  'Maria Santos',
  'Ravi Kumar',
  'Nina Berg',
] as const;

export const givenNames = [
  '海',
  '波',
  '建国',
  '文',
  '强',
  '敏',
  '静',
  '磊',
  '洋',
  '艳',
  '勇',
  '杰',
  '娟',
  '涛',
  '明',
  '超',
  '秀兰',
  '霞',
  '平',
  '刚',
] as const;
export const familyNames = [
  '王',
  '李',
  '张',
  '刘',
  '陈',
  '杨',
  '赵',
  '黄',
  '周',
  '吴',
  '徐',
  '孙',
  '胡',
  '朱',
  '高',
  '林',
  '何',
  '郭',
  '马',
  '罗',
] as const;

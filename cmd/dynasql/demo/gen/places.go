package main

// A country has a share of the customers and what is needed to make up people
// who live there. It may be listed twice, for names in two scripts.
type country struct {
	code      string
	share     int
	postcode  string // # stands for a digit, @ for a letter
	phone     string // international prefix
	family1st bool
	given     []string
	family    []string
	streets   []string
	cities    []city
}

type city struct {
	name     string
	lat, lon int // hundred-thousandths of a degree
}

var countries = []country{
	{
		code: "DE", share: 20, postcode: "#####", phone: "+49",
		given:   []string{"Anneliese", "Bernd", "Claudia", "Emil", "Frieda", "Henrik", "Jürgen", "Käthe", "Lukas", "Mareike", "Oskar", "Sabine", "Tilman", "Ute"},
		family:  []string{"Ahrens", "Böttcher", "Dietz", "Ebeling", "Großmann", "Hinrichs", "Kröger", "Lüders", "Petersen", "Rösler", "Schütte", "Vogelsang"},
		streets: []string{"Lindenweg", "Am Markt", "Hafenstraße", "Kastanienallee", "Mühlgasse"},
		cities:  []city{{"Hamburg", 5355034, 999368}, {"Berlin", 5252001, 1340495}, {"Leipzig", 5133962, 1237413}, {"Freiburg", 4799900, 784210}},
	},
	{
		code: "GB", share: 16, postcode: "@@# #@@", phone: "+44",
		given:   []string{"Agnes", "Barnaby", "Catrin", "Douglas", "Edith", "Fergus", "Harriet", "Ivor", "Maeve", "Nigel", "Rhiannon", "Winifred"},
		family:  []string{"Ashdown", "Birtwhistle", "Cattermole", "Dunmore", "Fairweather", "Kerrigan", "Llewellyn", "Muir", "Pemberton", "Tregenza"},
		streets: []string{"Mill Lane", "Station Road", "Orchard Close", "Bridge Street", "The Green"},
		cities:  []city{{"London", 5150735, -12776}, {"Leeds", 5380076, -154908}, {"Edinburgh", 5595325, -318827}, {"Cardiff", 5148158, -317909}},
	},
	{
		code: "US", share: 15, postcode: "#####", phone: "+1",
		given:   []string{"Abigail", "Calvin", "Delia", "Everett", "Geneva", "Hollis", "Juanita", "Marcus", "Opal", "Rosalind", "Tyrone", "Wendell"},
		family:  []string{"Abernathy", "Castellano", "Delacroix", "Fitzhugh", "Hathaway", "Lindqvist", "Okafor", "Pruitt", "Sandoval", "Whitlock", "Yazzie"},
		streets: []string{"Maple Avenue", "Second Street", "Juniper Drive", "River Road", "Cedar Court"},
		cities:  []city{{"Portland", 4551223, -12265872}, {"Austin", 3026715, -9774306}, {"Chicago", 4187811, -8762980}, {"Boston", 4236008, -7105888}},
	},
	{
		code: "JP", share: 9, postcode: "###-####", phone: "+81", family1st: true,
		given:   []string{"葵", "健一", "さくら", "大輔", "美咲", "悠斗", "千尋", "拓海"},
		family:  []string{"青木", "藤田", "石川", "岡本", "清水", "中島", "松田", "山口"},
		streets: []string{"本町", "桜丘", "緑が丘", "中央"},
		cities:  []city{{"東京", 3567686, 13976389}, {"京都", 3501164, 13576803}, {"札幌", 4306417, 14134694}},
	},
	{
		code: "FR", share: 9, postcode: "#####", phone: "+33",
		given:   []string{"Amélie", "Bastien", "Célestine", "Étienne", "Loïc", "Maëlle", "Noémie", "Thibault", "Zoé"},
		family:  []string{"Beaulieu", "Chevrier", "Delaunay", "Fontanel", "Guérin", "Lefèvre", "Marchand", "Rousselot"},
		streets: []string{"rue des Tilleuls", "avenue de la Gare", "place du Marché", "rue Basse"},
		cities:  []city{{"Lyon", 4576404, 483566}, {"Nantes", 4721837, -155362}, {"Lille", 5062925, 305726}},
	},
	{
		code: "NL", share: 7, postcode: "#### @@", phone: "+31",
		given:   []string{"Anouk", "Bram", "Femke", "Joost", "Lieke", "Maarten", "Saskia", "Teun"},
		family:  []string{"van den Berg", "de Graaf", "Hoekstra", "Kuiper", "van Rijn", "Terpstra", "Zijlstra"},
		streets: []string{"Kerkstraat", "Dorpsweg", "Prinsengracht", "Molenlaan"},
		cities:  []city{{"Utrecht", 5209083, 512222}, {"Groningen", 5321938, 656650}, {"Amsterdam", 5236757, 490414}},
	},
	{
		code: "SE", share: 5, postcode: "### ##", phone: "+46",
		given:   []string{"Åsa", "Björn", "Elin", "Gösta", "Linnéa", "Oskar", "Ylva"},
		family:  []string{"Bergström", "Ekdahl", "Lindgren", "Sjöberg", "Wallin", "Åkesson"},
		streets: []string{"Storgatan", "Björkvägen", "Hamngatan"},
		cities:  []city{{"Göteborg", 5770887, 1197456}, {"Uppsala", 5985856, 1763893}},
	},
	{
		code: "IN", share: 4, postcode: "######", phone: "+91",
		given:   []string{"Aarav", "Deepa", "Ishaan", "Kavya", "Nandini", "Rohan"},
		family:  []string{"Banerjee", "Deshmukh", "Iyer", "Kulkarni", "Menon", "Saxena"},
		streets: []string{"MG Road", "Temple Street", "Lake View Road"},
		cities:  []city{{"Pune", 1852043, 7385674}, {"Kolkata", 2257265, 8836390}, {"Kochi", 993123, 7626730}},
	},
	{
		code: "IN", share: 2, postcode: "######", phone: "+91",
		given:   []string{"अनीता", "दीपक", "मीरा", "विक्रम"},
		family:  []string{"चौहान", "जोशी", "शर्मा"},
		streets: []string{"गांधी मार्ग", "स्टेशन रोड"},
		cities:  []city{{"दिल्ली", 2865195, 7723149}, {"जयपुर", 2691583, 7578811}},
	},
	{
		code: "CA", share: 4, postcode: "@#@ #@#", phone: "+1",
		given:   []string{"Adèle", "Colin", "Fiona", "Gordon", "Marguerite", "Tessa"},
		family:  []string{"Archambault", "Carmichael", "Desjardins", "McTavish", "Thibodeau"},
		streets: []string{"Wellington Street", "rue Sainte-Anne", "Birch Crescent"},
		cities:  []city{{"Montréal", 4550169, -7356725}, {"Halifax", 4464876, -6357524}},
	},
	{
		code: "PT", share: 4, postcode: "####-###", phone: "+351",
		given:   []string{"Beatriz", "Duarte", "Inês", "João", "Leonor", "Simão"},
		family:  []string{"Azevedo", "Brandão", "Conceição", "Falcão", "Magalhães"},
		streets: []string{"Rua da Boavista", "Largo do Carmo", "Travessa Nova"},
		cities:  []city{{"Porto", 4115794, -862910}, {"Ponta Delgada", 3774122, -2566863}},
	},
	{
		code: "KR", share: 3, postcode: "#####", phone: "+82", family1st: true,
		given:   []string{"민준", "서연", "지우", "하은", "도윤"},
		family:  []string{"김", "박", "이", "최", "한"},
		streets: []string{"중앙로", "벚꽃길", "시장길"},
		cities:  []city{{"서울", 3756654, 12697797}, {"부산", 3517955, 12907564}},
	},
	{
		code: "UA", share: 3, postcode: "#####", phone: "+380",
		given:   []string{"Богдан", "Дарина", "Леся", "Олена", "Тарас"},
		family:  []string{"Бондаренко", "Гончарук", "Лисенко", "Шевчук"},
		streets: []string{"вулиця Садова", "вулиця Липова", "проспект Миру"},
		cities:  []city{{"Львів", 4983968, 2402972}, {"Київ", 5045010, 3052340}},
	},
}

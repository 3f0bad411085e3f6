package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// product is one line of the price list. Share says how often it is bought;
// with 0 nobody has bought it yet.
type product struct {
	sku, name, category string
	price, grams        int // cents, grams
	country, region     string
	low, high           int // elevation of the gardens in metres; 0 for what does not grow
	notes               []string
	steeps              []string // minutes of the first, second, third infusion
	celsius             int
	share               int
}

var products = []product{
	{"BLK-ASM-01", "Brahmaputra Breakfast", "black", 890, 125, "IN", "Assam", 60, 120, []string{"malt", "honey"}, []string{"4"}, 98, 30},
	{"BLK-DAR-02", "First Flush Cloud Line", "black", 2450, 50, "IN", "Darjeeling", 1650, 2050, []string{"muscatel", "apricot"}, []string{"3"}, 90, 12},
	{"BLK-NIL-03", "Blue Hill Winter Frost", "black", 1180, 100, "IN", "Nilgiri", 1800, 2200, []string{"citrus", "cedar"}, []string{"3.5"}, 95, 9},
	{"BLK-CEY-04", "Lantern Ridge", "black", 990, 125, "LK", "Nuwara Eliya", 1860, 1950, []string{"rose", "lime"}, []string{"3.5"}, 95, 14},
	{"BLK-YUN-05", "Old Ferry Golden Tips", "black", 1640, 75, "CN", "Yunnan", 1200, 1600, []string{"cocoa", "sweet potato"}, []string{"2.5", "4"}, 95, 11},
	{"BLK-AZO-06", "Atlantic Orange Pekoe", "black", 760, 100, "PT", "São Miguel", 150, 300, []string{"hay", "plum"}, []string{"4"}, 96, 7},
	{"BLK-EAR-07", "Earl of Wrenfold", "black", 940, 125, "LK", "Dimbula", 1100, 1600, []string{"bergamot", "cornflower"}, []string{"3.5"}, 96, 26},
	{"BLK-SMK-08", "Smokehouse Pine", "black", 1020, 100, "CN", "Fujian", 700, 1100, []string{"pine smoke", "longan"}, []string{"3"}, 96, 5},
	{"GRN-SEN-01", "Morning Terrace Sencha", "green", 1490, 100, "JP", "Shizuoka", 200, 450, []string{"seaweed", "sweet pea"}, []string{"1", "0.5", "1.5"}, 70, 24},
	{"GRN-GYO-02", "Shaded Garden Gyokuro", "green", 3480, 50, "JP", "Uji", 100, 250, []string{"umami", "chestnut"}, []string{"2", "0.75", "1.25"}, 55, 8},
	{"GRN-GEN-03", "Toasted Rice Genmaicha", "green", 820, 125, "JP", "Kagoshima", 80, 160, []string{"popcorn", "grass"}, []string{"1.5", "2"}, 85, 17},
	{"GRN-HOU-04", "Charcoal Lane Houjicha", "green", 780, 100, "JP", "Kyoto", 150, 300, []string{"caramel", "oak"}, []string{"1.5", "2.5"}, 90, 13},
	{"GRN-MAT-05", "Stone Mill Matcha", "green", 2890, 30, "JP", "Uji", 100, 250, []string{"umami", "cream"}, []string{"0.5"}, 75, 21},
	{"GRN-LNG-06", "Tiger Spring Longjing", "green", 2260, 50, "CN", "Zhejiang", 180, 350, []string{"chestnut", "orchid"}, []string{"2", "2.5", "3"}, 78, 9},
	{"GRN-JAS-07", "Seven Night Jasmine", "green", 1350, 75, "CN", "Fujian", 600, 900, []string{"jasmine"}, []string{"2.5", "3"}, 80, 16},
	{"GRN-BOS-08", "South Coast Sejak", "green", 1980, 40, "KR", "Boseong", 120, 350, []string{"barley", "cucumber"}, []string{"2", "1.5"}, 72, 4},
	{"OOL-TGY-01", "Iron Bodhi Light", "oolong", 1720, 75, "CN", "Anxi", 600, 1000, []string{"orchid", "butter"}, []string{"1", "1.25", "1.75"}, 92, 10},
	{"OOL-ALI-02", "Cloud Forest Alishan", "oolong", 2640, 50, "TW", "Chiayi", 1200, 1500, []string{"cream", "gardenia"}, []string{"1", "1.25", "1.75"}, 93, 9},
	{"OOL-DON-03", "Ripe Peak Dong Ding", "oolong", 1880, 75, "TW", "Nantou", 600, 800, []string{"hazelnut", "plum"}, []string{"1", "1.5", "2"}, 95, 7},
	{"OOL-BEA-04", "Leafhopper Beauty", "oolong", 3120, 50, "TW", "Hsinchu", 300, 700, []string{"honey", "peach"}, []string{"1.5", "2", "3"}, 88, 5},
	{"OOL-ROC-05", "Cliff Garden Rougui", "oolong", 3960, 50, "CN", "Wuyi", 350, 600, []string{"cinnamon", "mineral"}, []string{"0.5", "0.75", "1"}, 98, 3},
	{"WHT-SIL-01", "Silver Needle Spring", "white", 2980, 40, "CN", "Fuding", 600, 900, []string{"melon", "hay"}, []string{"3", "4", "5"}, 80, 6},
	{"WHT-PEO-02", "White Peony Orchard", "white", 1560, 60, "CN", "Fuding", 500, 800, []string{"pear", "acacia"}, []string{"3", "4"}, 85, 10},
	{"WHT-MOO-03", "Hollow Moon Reserve", "white", 8900, 25, "CN", "Yunnan", 1700, 2100, []string{"apricot", "camphor"}, []string{"2", "3", "4"}, 90, 0},
	{"HRB-ROO-01", "Red Bush Plain", "herbal", 620, 100, "ZA", "Cederberg", 450, 800, []string{"vanilla", "wood"}, []string{"6"}, 100, 18},
	{"HRB-MIN-02", "Two Mints", "herbal", 540, 50, "PT", "Alentejo", 180, 260, []string{"peppermint", "spearmint"}, []string{"7"}, 100, 22},
	{"HRB-CHA-03", "Meadow Chamomile", "herbal", 580, 50, "UA", "Poltava", 100, 180, []string{"apple", "hay"}, []string{"7"}, 100, 15},
	{"HRB-VER-04", "Verbena and Lemon Peel", "herbal", 690, 50, "FR", "Drôme", 300, 500, []string{"lemon", "verbena"}, []string{"6"}, 95, 9},
	{"HRB-YER-05", "Forest Floor Maté", "herbal", 840, 200, "BR", "Paraná", 500, 900, []string{"smoke", "grass"}, []string{"3", "3", "3"}, 75, 4},
	{"ACC-POT-01", "Stoneware Pot, 600 ml", "accessory", 3450, 780, "GB", "Stoke-on-Trent", 0, 0, nil, nil, 0, 8},
	{"ACC-KYU-02", "Side-handle Kyusu, 300 ml", "accessory", 5900, 410, "JP", "Tokoname", 0, 0, nil, nil, 0, 3},
	{"ACC-WHI-03", "Bamboo Whisk", "accessory", 1890, 35, "JP", "Nara", 0, 0, nil, nil, 0, 9},
	{"ACC-TIN-04", "Storage Tin, 125 g", "accessory", 650, 95, "DE", "Solingen", 0, 0, nil, nil, 0, 14},
	{"ACC-STR-05", "Fine Mesh Strainer", "accessory", 780, 40, "DE", "Solingen", 0, 0, nil, nil, 0, 12},
	{"ACC-GIF-06", "Sampler Box, Twelve Teas", "accessory", 2990, 240, "GB", "Leeds", 0, 0, nil, nil, 0, 16},
	{"ACC-GON-07", "Travel Gongfu Set", "accessory", 7450, 960, "TW", "Yingge", 0, 0, nil, nil, 0, 0},
}

// discontinued are the products that are no longer sold from a day on.
var discontinued = map[string]struct {
	on        string
	successor value
}{
	"BLK-SMK-08": {"2026-06-30", null()},
	"GRN-BOS-08": {"2026-03-31", str("GRN-SEN-01")},
	"OOL-ROC-05": {"2026-09-15", str("OOL-TGY-01")},
}

// sharesOn are the weights with which the products sell on a day.
func sharesOn(day string) []int {
	shares := make([]int, len(products))
	for i, p := range products {
		if d, ok := discontinued[p.sku]; !ok || day < d.on {
			shares[i] = p.share
		}
	}
	return shares
}

func productItems(r *rand.Rand) []item {
	items := make([]item, len(products))
	for i, p := range products {
		items[i] = productItem(r, p)
	}
	return items
}

// productItem gives teas, unlike accessories, an elevation, infusions, a lot
// number of the full 38 digits that DynamoDB keeps, and laboratory digests.
func productItem(r *rand.Rand, p product) item {
	it := item{
		{"sku", str(p.sku)},
		{"name", str(p.name)},
		{"category", str(p.category)},
		{"price", cents(p.price)},
		{"weight_g", count(p.grams)},
		{"ean", num(fmt.Sprintf("40%s", digits(r, 11)))},
		{"organic", boolean(p.category != "accessory" && chance(r, 40))},
		{"origin", origin(p)},
		{"seal", bin(randomBytes(r, 16))},
	}
	if p.category != "accessory" {
		it = append(it,
			field{"notes", set("SS", sorted(p.notes)...)},
			field{"infusions", infusions(p)},
			field{"pack_sizes_g", set("NS", packSizes(p.grams)...)},
			field{"lot", num(digits(r, 38))},
			field{"lab_digests", bins(randomBytes(r, 8), randomBytes(r, 8))},
		)
	}
	if d, ok := discontinued[p.sku]; ok {
		it = append(it, field{"discontinued_on", str(d.on)}, field{"successor", d.successor})
	}
	return it
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

func origin(p product) value {
	fields := []field{{"country", str(p.country)}, {"region", str(p.region)}}
	if p.high > 0 {
		fields = append(fields, field{"elevation_m", doc(field{"low", count(p.low)}, field{"high", count(p.high)})})
	}
	return doc(fields...)
}

func infusions(p product) value {
	var steps []value
	for _, minutes := range p.steeps {
		steps = append(steps, doc(field{"minutes", num(minutes)}, field{"celsius", count(p.celsius)}))
	}
	return list(steps...)
}

// packSizes are half, whole and double the usual pack; half may be a fraction.
func packSizes(grams int) []string {
	return []string{fmt.Sprint(float64(grams) / 2), fmt.Sprint(grams), fmt.Sprint(2 * grams)}
}

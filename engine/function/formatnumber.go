package function

import (
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A numerals is how a locale writes numbers: its point, what stands between
// groups of digits, and how large the groups are, from the right; the last size
// repeats.
type numerals struct {
	point, comma string
	groups       []int
}

var thousands = []int{3}

// locales are MySQL's locales (lc_time_names) that do not write numbers as en_US
// does.
var locales = localesOf(map[string]numerals{
	"da_dk de_be de_de de_lu es_ar es_bo es_cl es_co es_ec es_es es_py es_uy es_ve fo_fo id_id is_is ro_ro tr_tr vi_vn be_by hu_hu lt_lt mn_mn nb_no no_no ru_ua sq_al uk_ua": {",", ".", thousands},
	"ca_es de_at el_gr eu_es fr_be fr_ca fr_ch fr_fr fr_lu gl_es hr_hr it_it nl_be nl_nl pl_pl pt_br pt_pt sl_si":                                                             {",", "", nil},
	"cs_cz es_cr et_ee fi_fi lv_lv mk_mk ru_ru sk_sk sv_fi sv_se bg_bg":                                                                                                       {",", " ", thousands},
	"en_in ta_in te_in": {".", ",", []int{3, 2}},
	"ar_sa sr_rs":       {".", "", nil},
	"de_ch":             {".", "'", thousands},
	"it_ch rm_ch":       {",", "'", thousands},
})

func localesOf(byNames map[string]numerals) map[string]numerals {
	all := map[string]numerals{}
	for names, n := range byNames {
		for _, name := range strings.Fields(names) {
			all[name] = n
		}
	}
	return all
}

// formatNumber is FORMAT(number, digits behind the point[, locale]).
func formatNumber(c *call) (any, error) {
	if !c.has(0) || !c.has(1) {
		return nil, nil
	}
	digits := max(0, min(c.integer(1), 30))
	how := numerals{".", ",", thousands}
	if c.has(2) {
		name, err := c.text(2)
		if err != nil {
			return nil, err
		}
		if n, ok := locales[strings.ToLower(name)]; ok {
			how = n
		}
	}
	var d apd.Decimal
	if _, err := rounding(c, 0).Quantize(&d, c.decimal(0), -int32(digits)); err != nil {
		return nil, err
	}
	if d.IsZero() {
		d.Negative = false
	}
	return how.write(d.Text('f')), nil
}

// rounding is how an argument is rounded: an exact number half away from zero,
// and what is computed with as DOUBLE, texts too, half to even.
func rounding(c *call, i int) *apd.Context {
	out := wide
	if _, isText := textual(c.values[i]); isText || types.IsFloat(c.typeOf(i)) {
		out.Rounding = apd.RoundHalfEven
	}
	return &out
}

// write puts a number that is written with a point into the locale's form.
func (n numerals) write(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, some := strings.Cut(number, ".")
	var groups []string
	for i := 0; n.comma != ""; i++ {
		size := n.groups[min(i, len(n.groups)-1)]
		if len(whole) <= size {
			break
		}
		groups = append([]string{whole[len(whole)-size:]}, groups...)
		whole = whole[:len(whole)-size]
	}
	out := sign + strings.Join(append([]string{whole}, groups...), n.comma)
	if some {
		out += n.point + fraction
	}
	return out
}
